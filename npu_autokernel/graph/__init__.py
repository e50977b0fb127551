"""FX region -> KernelTask: canonical form, key, eager reference, float64 golden."""
