#!/usr/bin/env bash
# Makes the environment that `make test` and `make demo` run in. Called by the Makefile.
#
#   tools/set_up.sh FOLDER
#
# In order: find a Python that runs, make FOLDER a virtual environment, install torch, install this
# project editable with its compiler and its tools, and see to it that triton-ascend owns `triton/`.
#
#   PYTHON                       the interpreter to use, instead of the first suitable one found
#   NPU_AUTOKERNEL_TORCH_INDEX   an index URL that serves torch's CPU build; torch alone is taken from it
set -eu
cd "$(dirname "$0")/.."
environment=$1
marker=$environment/.made-by-npu-autokernel

# A shim may be on PATH and yet run nothing, so each candidate is asked for its version.
is_suitable() {
    "$1" -c 'import sys, venv, ensurepip; sys.exit(not (3, 10) <= sys.version_info[:2] <= (3, 13))' \
        >/dev/null 2>&1
}

# 3.11 and 3.10 come first: triton-ascend has wheels for no later Python.
find_python() {
    for version in 3.11 3.10 3.12 3.13; do
        for python in "python$version" "$HOME"/.pyenv/versions/"$version"*/bin/python; do
            if is_suitable "$python"; then
                echo "$python"
                return
            fi
        done
    done
    if is_suitable python3; then
        echo python3
    fi
}

has_foreign_triton() {
    "$environment/bin/python" - <<'PYTHON'
import importlib.metadata
import sys

try:
    importlib.metadata.distribution("triton")
except importlib.metadata.PackageNotFoundError:
    sys.exit(1)
PYTHON
}

if ! is_suitable "$environment/bin/python"; then
    python=${PYTHON:-$(find_python)}
    if ! is_suitable "${python:-none}"; then
        echo "No Python 3.10 to 3.13 with venv was found; install one, or name it: make PYTHON=/path/to/python" >&2
        exit 1
    fi
    "$python" -m venv --clear "$environment"
    touch "$marker"
fi

# In somebody else's environment nothing is removed: say what is wrong and stop.
if [ ! -e "$marker" ] && has_foreign_triton; then
    echo "A foreign triton distribution is installed in $environment and would break triton-ascend:" \
        "uninstall it (pip uninstall triton), or let make use an environment of its own." >&2
    exit 1
fi

install() {
    "$environment/bin/python" -m pip install --disable-pip-version-check -q -c constraints.txt "$@"
}

echo "Installing into $environment (once; this takes a few minutes)"
if [ -n "${NPU_AUTOKERNEL_TORCH_INDEX:-}" ]; then
    install --index-url "$NPU_AUTOKERNEL_TORCH_INDEX" torch
else
    install torch
fi
install -e ".[ascend,dev]"

# torch's CUDA build brings its own `triton`, whose folder is the one triton-ascend owns.
if has_foreign_triton; then
    "$environment/bin/python" -m pip uninstall -q -y triton
    install --force-reinstall --no-deps "triton-ascend==3.2.*"
fi
