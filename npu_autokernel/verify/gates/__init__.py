"""The gates, each in its own file: a function from what is known so far to more, or to a Failure."""
