"""Examples, installed as `npu_autokernel.examples`."""
