"""Where a proven kernel runs: the machine, on CPU tensors."""
