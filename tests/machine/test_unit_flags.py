"""Unit flags: a product and the way out of L0C hand a tile over without an event."""

from __future__ import annotations

import numpy as np
import pytest

from npu_autokernel.machine import ExecutionOptions, MachineFault, RunReport, load_program
from tests.machine.cube_modules import CubeBody
from tests.machine.modules import cube_module, gm, run

UPDATE = "ENABLED_WITH_UPDATE"
KEEP = "ENABLED_WITHOUT_UPDATE"
SHAPE = (16, 16, 16)


def modes(*names: str) -> str:
    flags = ", ".join(f"#hivm.unit_flag<{name}>" for name in names)
    return f", unit_flag_mode = [{flags}]" if names else ""


class HandOver(CubeBody):
    """Operands in L1 and waited for; products into L0C and ways out to row blocks of %a2."""

    def __init__(self) -> None:
        super().__init__()
        self.a = self.load_l1("%a0", 16, 16, "f16")
        self.b = self.load_l1("%a1", 16, 16, "f16")
        self.flag("set", "MTE2", "MTE1")
        self.flag("wait", "MTE2", "MTE1")
        self.tile = self.sums(16, 16)

    def product(self, *names: str, conditions: tuple[str, ...] = (), clear: bool = True) -> None:
        self.multiply(self.a, self.b, self.tile, SHAPE, clear, modes(*names), unit_flags=conditions)

    def take(self, *names: str, block: int = 0) -> None:
        target = self.reinterpret("%a2", "16x16xf32", block * 256)
        properties = (
            "dma_mode = #hivm.dma_mode<nz2nd>, operandSegmentSizes = array<i32: 1, 1, 0, 0>"
        )
        self.op(
            "fixpipe",
            f"{self.tile[0]}, {target}",
            f"{self.tile[1]}, {gm('16x16xf32')}",
            properties + modes(*names),
        )

    def condition(self, value: bool) -> str:
        return self.constant("true" if value else "false", "i1")

    def module(self) -> str:
        return cube_module(self.text(), [gm("?xf16")] * 2 + [gm("?xf32")])


def launch(body: HandOver, **options: int | bool) -> tuple[RunReport, np.ndarray]:
    values = np.arange(256, dtype=np.float16).reshape(16, 16) / 64
    result = np.zeros((4, 16, 16), np.float32)
    arguments = [np.eye(16, dtype=np.float16), values, result]
    report = run(body.module(), arguments, options=ExecutionOptions(**options))
    return report, result


def two_tiles(way_out: str = UPDATE, second: str = UPDATE) -> HandOver:
    """Two products through one tile of L0C, the second twice as large."""
    body = HandOver()
    body.product(UPDATE)
    body.take(way_out, block=0)
    body.product(KEEP)
    body.product(second, clear=False)
    body.take(way_out, block=1)
    return body


def test_a_unit_flag_orders_a_product_and_its_way_out():
    report, result = launch(two_tiles(), check_races=True, check_uninitialised=True)
    assert report.fault is None, report.fault
    np.testing.assert_array_equal(result[1], 2 * result[0])


@pytest.mark.parametrize("seed", range(8))
def test_the_pipes_wait_for_unit_flags_in_any_order(seed):
    report, result = launch(two_tiles(), interleaving_seed=seed)
    assert report.fault is None, report.fault
    assert result[0, 3, 4] == 52 / 64 and result[1, 3, 4] == 104 / 64


def test_without_a_unit_flag_the_way_out_is_a_race():
    body = HandOver()
    body.product()
    body.take()
    report, _ = launch(body, check_races=True)
    assert report.fault is not None and report.fault.code == "machine.race"


def test_a_product_over_sums_that_are_still_taken_is_a_race():
    body = HandOver()
    body.product(UPDATE)
    body.take(UPDATE)
    body.product()
    report, _ = launch(body, check_races=True)
    assert report.fault is not None and report.fault.code == "machine.race"


@pytest.mark.parametrize(
    "products, takes, words",
    [
        ([()], 1, "does not set it"),
        ([(KEEP,)], 1, "does not set it"),
        ([(UPDATE,)], 2, "does not set it"),
        ([(UPDATE,), (UPDATE,)], 1, "waits for its tile"),
        ([(UPDATE,)], 0, "still set at the end"),
    ],
)
def test_unit_flags_without_their_partner_are_faults(products, takes, words):
    body = HandOver()
    for names in products:
        body.product(*names)
    for _ in range(takes):
        body.take(UPDATE)
    report, _ = launch(body)
    assert report.fault is not None and report.fault.code == "machine.flag_unbalanced"
    assert words in report.fault.message


@pytest.mark.parametrize(
    "values, passes", [((False, True), True), ((True, True), False), ((False, False), False)]
)
def test_the_first_condition_that_holds_decides(values, passes):
    body = HandOver()
    conditions = tuple(body.condition(value) for value in values)
    body.product("DISABLED", UPDATE, conditions=conditions)
    body.take(UPDATE)
    report, _ = launch(body)
    assert (report.fault is None) == passes


def test_modes_that_are_not_known_or_lack_a_condition_are_refused():
    for names, count in (["RESERVED"], 0), (["DISABLED", UPDATE], 0), ([UPDATE], 2):
        body = HandOver()
        conditions = tuple(body.condition(True) for _ in range(count))
        body.product(*names, conditions=conditions)
        fault = load_program(body.module())
        assert isinstance(fault, MachineFault) and fault.code == "machine.unsupported_op"
        assert "unit flag" in fault.message
