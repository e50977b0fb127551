"""One warm worker for the tests of the verifier."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from npu_autokernel.verify.worker import VerifierPool


@pytest.fixture(scope="module")
def pool() -> Iterator[VerifierPool]:
    with VerifierPool(1) as opened:
        yield opened
