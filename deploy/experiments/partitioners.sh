#!/bin/sh
# One search by real worker processes: every partitioner beside one worker, for pds and df-pn.
# Usage: sh deploy/experiments/partitioners.sh HASAMI [WORKERS] [BUDGET] < PROBLEMS
# A line of PROBLEMS is a name, a tab, the game and its parameters, as in partitioners.tsv.
# Prints one line for each search: name, kernel, partitioner, workers, verdict, nodes, CPU seconds of
# all processes, seconds on the clock. Workers are started afresh for each search, with one thread each.
set -eu
hasami=$1
workers=${2:-2}
budget=${3:-3M}
export RUST_LOG=error
place=$(mktemp -d)
running=
trap 'for process in $running; do kill "$process" 2>/dev/null || true; done; rm -rf "$place"' EXIT INT TERM

# CPU seconds of processes: those that still run, from their clock ticks.
cpu() {
    ticks=0
    for process in "$@"; do
        # The fields after the name of the program: user and system time are the 12th and 13th.
        set -- $(sed 's/.*) //' "/proc/$process/stat")
        ticks=$((ticks + ${12} + ${13}))
    done
    echo "$ticks" "$(getconf CLK_TCK)" | awk '{ printf "%.1f", $1 / $2 }'
}

# One search: name, game and parameters, kernel, partitioner, number of workers.
one() {
    data=$place/data
    rm -rf "$data"
    "$hasami" coordinator --data "$data" --listen 127.0.0.1:0 --insecure >/dev/null 2>"$place/log" &
    running=$!
    until [ -e "$data/access.json" ]; do sleep 0.1; done
    for _ in $(seq "$5"); do
        "$hasami" worker --access "$data/access.json" --threads 1 --memory 512MiB >/dev/null 2>>"$place/log" &
        running="$running $!"
    done
    {
        printf 'name = "one"\nkind = "search"\nproblem = "%s"\n[parameters]\n' "${2%% *}"
        for word in $2; do
            case $word in *=*) printf '%s = "%s"\n' "${word%%=*}" "${word#*=}" ;; esac
        done
        printf '[search]\nkernel = "%s"\npartitioner = "%s"\nbudget = "%s"\n' "$3" "$4" "$budget"
    } >"$place/one.toml"
    started=$(date +%s.%N)
    "$hasami" submit "$place/one.toml" --access "$data/access.json" --wait --output quiet >/dev/null 2>>"$place/log" || [ $? -eq 3 ]
    seconds=$(echo "$started $(date +%s.%N)" | awk '{ printf "%.1f", $2 - $1 }')
    "$hasami" runs export --access "$data/access.json" --all-columns -o "$place/one.jsonl" --output quiet >/dev/null
    found=$(sed 's/.*"nodes":\([0-9]*\).*"verdict":"\([a-z]*\)".*/\2\t\1/' "$place/one.jsonl")
    printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$1" "$3" "$4" "$5" "$found" "$(cpu $running)" "$seconds"
    for process in $running; do kill "$process"; done
    for process in $running; do wait "$process" || true; done
    running=
}

tab=$(printf '\t')
printf 'problem\tkernel\tpartitioner\tworkers\tverdict\tnodes\tcpu\tseconds\n'
while IFS="$tab" read -r name question <&3; do
    case $name in ''|'#'*) continue ;; esac
    for kernel in pds dfpn; do
        one "$name" "$question" "$kernel" frontier 1
        for partitioner in frontier aohpas aohpas-or; do
            one "$name" "$question" "$kernel" "$partitioner" "$workers"
        done
    done
done 3<&0
