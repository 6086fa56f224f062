"""Studies: many runs of one scenario, planned, executed, stored and tabled."""
