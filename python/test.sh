#!/bin/sh
# The tests of the Python package with real processes. Run by `make python` with the path of the binary.
# What the tests need is installed once, under ~/.cache/hasami/python; where that fails they are skipped.
set -eu
HASAMI_PROGRAM=$(realpath "$1")
export HASAMI_PROGRAM PYTHONDONTWRITEBYTECODE=1
home="$HOME/.cache/hasami/python"
cd "$(dirname "$0")"

skip() { printf 'the tests of the Python package are skipped: %s\n' "$1" >&2; exit 0; }

python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || skip 'they need Python 3.11 or newer'
needs=$(python3 - <<'END'
import tomllib
about = tomllib.load(open("pyproject.toml", "rb"))
extras = about["project"]["optional-dependencies"].values()
print(*about["build-system"]["requires"], *about["project"]["dependencies"], *sum(extras, []), sep="\n")
END
)
if [ "$needs" != "$(cat "$home/needs.txt" 2>/dev/null)" ] || ! "$home/bin/python" -c '' 2>/dev/null; then
    rm -rf "$home"
    mkdir -p "$(dirname "$home")"
    log=$(mktemp)
    trap 'rm -f "$log"' EXIT
    if ! { python3 -m venv "$home" &&
        printf '%s\n' "$needs" > "$home/wanted.txt" &&
        "$home/bin/pip" install --quiet --retries 1 --requirement "$home/wanted.txt"; } > "$log" 2>&1
    then
        tail -n 3 "$log" >&2
        skip "$home cannot be made (no network?)"
    fi
    mv "$home/wanted.txt" "$home/needs.txt"
    rm -f "$log"
fi

# The package as users install it, beside what it needs: worktrees share the environment.
package=$(mktemp -d)
trap 'rm -rf "$package"' EXIT
"$home/bin/pip" install --quiet --no-deps --no-build-isolation --no-index --target "$package" .
PYTHONPATH="$package" "$home/bin/python" -m unittest discover --start-directory tests --buffer
