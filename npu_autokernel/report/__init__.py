"""Reports on a timed launch, for people: a timeline for a trace viewer, and a summary as text.

Both are pure functions of what the clock recorded (`TracedLaunch`); nothing here runs a kernel.
"""
