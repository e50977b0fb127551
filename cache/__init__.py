"""The store on disk: kernels, attempts, memory items and leases. Knows no torch."""
