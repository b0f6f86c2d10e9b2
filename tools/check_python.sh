#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The Python package as people get it: installed by pip into an environment of its own (build/venv, from PyPI), with strict
# types, and its tests run on what was installed, Pinocchio beside it; import in 0.2 s at most.
#   tools/check_python.sh [PYTHON]      the program must be there: build/elver
set -euo pipefail
cd "$(dirname "$0")/.."

python=${1:-python3}
venv=build/venv
log=build/check-python.log

if [ ! -x $venv/bin/python ]; then
    "$python" -m venv $venv
fi
if command -v ccache >/dev/null; then
    export CMAKE_C_COMPILER_LAUNCHER=ccache
fi
# without a registry nothing can be installed; that is no fault of the package
if ! $venv/bin/python -m pip download --quiet --no-deps --dest build/pip-probe 'scikit-build-core>=0.10' >$log 2>&1; then
    echo "check_python: SKIPPED: pip cannot reach PyPI or a mirror of it" >&2
    exit 0
fi
echo "pip install .[test,pinocchio]"
$venv/bin/python -m pip install --disable-pip-version-check '.[test,pinocchio]' >$log 2>&1 || {
    tail -50 $log >&2
    exit 1
}

# away from the sources, so that the package is the installed one
here=$PWD
export ELVER_SOURCE_DIR=$here ELVER_BIN=$here/build/elver PYTHONDONTWRITEBYTECODE=1
cd build
python=$here/$venv/bin/python
$python -m elver
$python - <<'END'
import pathlib, sysconfig
import elver
folder = pathlib.Path(elver.__file__).parent
assert folder.is_relative_to(sysconfig.get_path("platlib")), folder
wheel, = folder.parent.glob("elver-*.dist-info/WHEEL")
tag, = (line for line in wheel.read_text().splitlines() if line.startswith("Tag:"))
assert "cp311-abi3" in tag, tag
assert (folder / "py.typed").is_file() and len(elver.shipped()) > 80
print(tag)
END

# time of the processor, and the best of a few, as the machine may be busy
$python - <<'END'
import subprocess, sys
text = "import time; start = time.process_time(); import elver; print(time.process_time() - start)"
best = min(float(subprocess.check_output([sys.executable, "-c", text])) for _ in range(7))
print(f"import elver: {best:.3f} s")
sys.exit(best > 0.2)
END
$python -m mypy --strict --cache-dir mypy-cache -p elver
$python -m pytest -q -p no:cacheprovider "$here/python/tests"
