"""The verifier: gates in order of cost, run in a worker process."""
