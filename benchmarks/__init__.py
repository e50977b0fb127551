"""Measurements of the project itself; each module prints its own tables."""
