#!/bin/sh
# The demo: can a pair of losing polyominoes win? All 66 pairs of the twelve minimal losers, each
# with certificates that a second run of the program checks. Run by `make demo` with the path of
# the binary.
set -eu
hasami=$1
export RUST_LOG="${RUST_LOG:-error}"
out=hasami-data/demo
rm -rf "$out" && mkdir -p "$out"

printf 'Pairs of losing polyominoes, strong game on the infinite board (half a minute)\n\n'
"$hasami" table pairs --budget 600000 --certificates "$out/certificates" \
    --html "$out/pairs.html" --csv "$out/pairs.csv" --svg "$out/pairs.svg"

count=0
for certificate in "$out"/certificates/*; do
    "$hasami" verify "$certificate" --output quiet >/dev/null
    count=$((count + 1))
done
printf '\n%s certificates verified again in %s\n' "$count" "$out/certificates"
printf 'The table as a page: %s\n' "$out/pairs.html"
printf 'Try a pair of your own: %s solve polyomino Z ZZ\n' "$hasami"
