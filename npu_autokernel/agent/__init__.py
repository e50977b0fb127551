"""Episodes: draft until feasible, refine for latency, prove the winner, keep it."""
