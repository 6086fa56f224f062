"""Results of a run in the formats of other tools: a file for each format."""
