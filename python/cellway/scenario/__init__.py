"""Scenario files: read, explained, listed, shipped."""
