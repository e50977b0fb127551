# `make demo` and `make test` do all the set-up: an environment of their own in .venv, made once.
#
#   make demo    embed a text with MiniLM through kernels that are written and proven on the spot
#   make test    the test suite
#   make lint    formatter, linter and types
#   make bench   the benchmarks of docs/numbers.md; takes a quarter of an hour
#
# PYTHON=/path/to/python chooses the interpreter, VENV=folder the environment.

VENV ?= .venv
NATIVE_SOURCES := CMakeLists.txt $(shell find npu_autokernel/machine/csrc -type f 2>/dev/null)

.PHONY: demo test lint bench clean
.DELETE_ON_ERROR:

$(VENV)/.set-up: tools/set_up.sh setup.py pyproject.toml constraints.txt
	tools/set_up.sh $(VENV)
	touch $@ $(VENV)/.native

$(VENV)/.native: $(VENV)/.set-up $(NATIVE_SOURCES)
	$(VENV)/bin/python setup.py -q build_ext --inplace
	touch $@

demo: $(VENV)/.native
	$(VENV)/bin/npu-autokernel demo

test: $(VENV)/.native
	$(VENV)/bin/python -m pytest -n auto --dist loadfile

# mypy reads the built tree, in which the three source trees have their installed names.
lint: $(VENV)/.native
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/ruff check .
	rm -rf build/typed
	$(VENV)/bin/python setup.py -q build_py --build-lib build/typed
	cd build/typed && $(abspath $(VENV))/bin/mypy --config-file ../../pyproject.toml -p npu_autokernel

bench: $(VENV)/.native
	$(VENV)/bin/python -m benchmarks.import_time
	OPENBLAS_NUM_THREADS=1 $(VENV)/bin/python -m benchmarks.machine_speed
	$(VENV)/bin/python -m benchmarks.screen_time
	$(VENV)/bin/python -m benchmarks.warm_start
	$(VENV)/bin/python -m benchmarks.calibration --quick

clean:
	rm -rf build $(VENV)
