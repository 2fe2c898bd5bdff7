# Keeps one worker running: starts it again when it fails, after a pause that grows. Started by
# `hasami deploy ssh`, detached from its session. SIGTERM ends both; the worker hands back its work.
# Words: the directory, the number of the worker, its name.
cd "$1" || exit 1
number=$2
name=$3
restarts=0
pause=1
child=
ended=

# A process is its number and the time of its start, because numbers are used again.
started() {
    read -r line 2> /dev/null < "/proc/$1/stat" || return 1
    # shellcheck disable=SC2086 # the fields after the name of the program
    set -- ${line##*) }
    echo "${20}"
}
put() {
    printf '%s\n' "$2" > "$1.part" && mv -f "$1.part" "$1"
}
state() {
    put "worker-$number.state" "$1 $restarts $2"
}

trap 'ended=yes; [ -z "$child" ] || kill -s TERM "$child" 2> /dev/null' TERM INT HUP
put "worker-$number.pid" "$$ $(started $$)"
while [ -z "$ended" ]; do
    eval "set -- $(cat args)"
    ./hasami worker --access access.json --name "$name" --log-file "worker-$number.log" "$@" \
        > "worker-$number.out" 2>&1 < /dev/null &
    child=$!
    put "worker-$number.child" "$child $(started "$child")"
    began=$(date +%s)
    state running -
    # The signal may have come before there was a child to pass it on to.
    [ -z "$ended" ] || kill -s TERM "$child" 2> /dev/null
    while :; do
        wait "$child"
        code=$?
        # A signal interrupts the wait; the child may still be there.
        kill -s 0 "$child" 2> /dev/null || break
    done
    child=
    [ -z "$ended" ] || break
    case $code in
        0) state finished 0; rm -f "worker-$number.pid"; exit 0 ;;
        # Wrong usage, or a token that is not valid: trying again does not help.
        2) state refused 2; rm -f "worker-$number.pid"; exit 2 ;;
    esac
    restarts=$((restarts + 1))
    [ $(($(date +%s) - began)) -lt 60 ] || pause=1
    state waiting "$code"
    sleep "$pause" &
    child=$!
    wait "$child"
    child=
    pause=$((pause * 2))
    [ "$pause" -le 60 ] || pause=60
done
state stopped "${code:--}"
rm -f "worker-$number.pid"
