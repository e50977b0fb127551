"""Calibration of the clock: documented measurements as data, and the streams that restate them.

`cases` reads the data, `streams_*` restate each kind of kernel as instructions, `run` compares what
the clock says with what was measured, `fit` says how much a constant owes to which source.
"""
