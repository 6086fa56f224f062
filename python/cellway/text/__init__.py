"""Text of users: documents, names, units."""
