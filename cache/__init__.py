"""The store on disk: verified kernels, the value memory, attempts and leases.

The ground floor of the project: it knows no torch and no numpy and imports nothing but the
standard library.  Import it as ``npu_autokernel.cache``.
"""

from __future__ import annotations
