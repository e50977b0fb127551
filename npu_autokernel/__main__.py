"""`python -m npu_autokernel` is the command `npu-autokernel`."""

from __future__ import annotations

from npu_autokernel.cli.main import main

if __name__ == "__main__":
    main(prog_name="npu-autokernel")
