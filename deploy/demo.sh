#!/bin/sh
# The demo: who wins Maker–Breaker k in a row on small boards, each verdict with a certificate that
# a second program run has checked. Run by `make demo` with the path of the binary.
set -eu
hasami=$1
export RUST_LOG="${RUST_LOG:-error}"
out=hasami-data/demo
rm -rf "$out" && mkdir -p "$out"

field() { sed -n "s/.*\"$1\":\"\{0,1\}\([^,\"}]*\).*/\1/p" "$2"; }

printf 'Maker–Breaker k in a row: can Maker, who begins, get a line?\n\n'
printf '%-7s %-3s %-10s %6s %12s %9s  %s\n' board k verdict stones nodes seconds certificate
for board in 3x3 4x3 4x4 5x4 5x5 6x6 8x8; do
    for line in 3 4 5; do
        width=${board%x*} height=${board#*x}
        [ "$line" -le "$width" ] || continue
        [ "$line" -eq 3 ] || [ "$width" -le 5 ] || continue
        cert="$out/mnk-$board-$line.cert" json="$out/solve.json"
        "$hasami" solve mnk width="$width" height="$height" line="$line" --sum weak \
            --budget 3000000 --certificate "$cert" --output json >"$json" || [ $? -eq 3 ]
        verdict=$(field verdict "$json") stones=$(field moves "$json")
        [ "$verdict" = proven ] || stones=-
        checked=-
        if [ -f "$cert" ]; then
            [ "$("$hasami" verify "$cert" --output quiet)" = "$verdict" ]
            checked="$cert, verified"
        fi
        printf '%-7s %-3s %-10s %6s %12s %9.3f  %s\n' "$board" "$line" "$verdict" "$stones" \
            "$(field nodes "$json")" "$(field seconds "$json")" "$checked"
    done
done
printf '\nunknown: not settled within 3,000,000 nodes; a larger --budget may do it.\n'
printf 'Check any of them again: %s verify %s\n' "$hasami" "$out/mnk-4x4-3.cert"
