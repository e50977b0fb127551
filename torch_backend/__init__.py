"""The torch.compile backend: FX graph in, callable out."""
