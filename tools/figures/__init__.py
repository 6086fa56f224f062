"""Figures of pages of docs/, a module for each; `tools/draw-figures` calls them."""
