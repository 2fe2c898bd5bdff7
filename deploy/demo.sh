#!/bin/sh
# The demo: can a pair of losing polyominoes win? The 66 pairs of the twelve minimal losers as a
# sweep on a cluster in one process: a coordinator and two workers. Every certificate is checked
# again by a second run of the program. Run by `make demo` with the path of the binary.
set -eu
hasami=$1
export RUST_LOG="${RUST_LOG:-error}"
out=hasami-data/demo
rm -rf "$out" && mkdir -p "$out"

printf 'Pairs of losing polyominoes, strong game on the infinite board (half a minute)\n\n'
# Exit code 3 says that some pairs stay open: three that the paper claims as winners, three that it leaves open.
"$hasami" run losers-66 --budget 600000 --workers 2 --threads 1 --data "$out/data" \
    --certificates "$out/certificates" -o "$out/pairs.html" -o "$out/pairs.csv" ||
    [ $? -eq 3 ]

count=0
for certificate in "$out"/certificates/*; do
    "$hasami" verify "$certificate" --output quiet >/dev/null
    count=$((count + 1))
done
printf '\n%s certificates verified again in %s\n' "$count" "$out/certificates"
printf 'The table as a page: %s\n' "$out/pairs.html"
printf 'The same command again finds everything known: %s run losers-66 --budget 600000 --data %s\n' \
    "$hasami" "$out/data"
printf 'Try a pair of your own: %s solve polyomino Z ZZ\n' "$hasami"
