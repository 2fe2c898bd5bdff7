#!/usr/bin/env bash
# Runs every fuzz target for so many seconds: run.sh [SECONDS] [TARGET…]. Works with a stable
# compiler: coverage is a pass of LLVM. Findings are files in DIRECTORY/artifacts.
set -euo pipefail
cd "$(dirname "$0")"
seconds="${1:-30}"
shift || true
cargo="${CARGO:-cargo}"
export CARGO_TARGET_DIR="${HASAMI_FUZZ_TARGET:-target}"
export RUSTFLAGS="--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
-Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
-Cllvm-args=-sanitizer-coverage-trace-compares"
host="$(rustc -vV | sed -n 's/^host: //p')"
"$cargo" build --release --bins --target "$host"
built="$CARGO_TARGET_DIR/$host/release"
"$built/seeds" corpus
targets=("$@")
[ ${#targets[@]} -gt 0 ] || mapfile -t targets < <(basename -s .rs -a fuzz_targets/*.rs)
failed=()
for target in "${targets[@]}"; do
    mkdir -p "artifacts/$target" "corpus/$target"
    echo "== $target"
    "$built/$target" "corpus/$target" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=2048 \
        -artifact_prefix="artifacts/$target/" -print_final_stats=1 -verbosity=0 || failed+=("$target")
done
[ ${#failed[@]} -eq 0 ] || { echo "found something: ${failed[*]} (see tests/fuzz/artifacts)" >&2; exit 1; }
