#!/bin/sh
# Makes the environment that the Makefile works in: tools/environment.sh FOLDER. Running it again brings it up to date.
set -eu
venv=$1
cd "$(dirname "$0")/.."

new_enough() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; }

python=${PYTHON:-}
if [ -z "$python" ]; then
    for candidate in python3 python3.13 python3.12 python3.11; do
        if new_enough "$candidate"; then python=$candidate; break; fi
    done
fi
if [ -z "$python" ] || ! new_enough "$python"; then
    echo "Python 3.11 or newer is needed; set PYTHON to one" >&2
    exit 1
fi
if ! new_enough "$venv/bin/python"; then
    rm -rf "$venv"
    "$python" -m venv "$venv" || { echo "$python cannot make environments; install its venv module" >&2; exit 1; }
fi
echo "installing the pinned dependencies into $venv …" >&2
"$venv/bin/python" -m pip install --quiet --disable-pip-version-check --require-hashes -r constraints/dev.txt
"$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
# Where Python is told to keep no bytecode, every start of the tap would compile its modules anew.
"$venv/bin/python" -m compileall -q auditor
touch "$venv/.ready"
