"""Runs: simulated, saved, read, and their numbers by path."""
