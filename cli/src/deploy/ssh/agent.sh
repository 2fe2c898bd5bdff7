# Runs on a host, read from standard input by `sh`. Variables are set in front of it: ACTION, DIR and
# those of the action. Lines of the answer begin with "hasami: ", because a login shell may print
# anything. Everything is in one directory; what is written there appears whole or not at all.
umask 077
EXPLAIN=${EXPLAIN:-no}
case $DIR in /*) ;; *) DIR=$HOME/$DIR ;; esac

say() { printf 'hasami: %s\n' "$*"; }
fail() { say "error $*"; exit 9; }
started() {
    read -r line 2> /dev/null < "/proc/$1/stat" || return 1
    # shellcheck disable=SC2086
    set -- ${line##*) }
    [ "$1" != Z ] || return 1
    echo "${20}"
}
# The number of the process in a file, if it still is that process.
alive() {
    [ -f "$1" ] && read -r pid since < "$1" && [ "$(started "$pid")" = "$since" ] && echo "$pid"
}
numbers() {
    for file in "$DIR"/worker-*.pid "$DIR"/worker-*.child "$DIR"/worker-*.state; do
        [ -f "$file" ] || continue
        file=${file##*/worker-}
        echo "${file%.*}"
    done | sort -un
}
put() {
    printf '%s\n' "$2" > "$1.part" && mv -f "$1.part" "$1" ||
        { rm -f "$1.part"; fail "$1 cannot be written; $(room)"; }
}
room() {
    df -Pk "$DIR" 2> /dev/null | awk 'NR == 2 { printf "%d MiB are free there", $4 / 1024 }'
}
# Two deployments at a time would start workers twice. The lock ends with this process.
lock() {
    command -v flock > /dev/null || return 0
    exec 9> "$DIR/lock" || fail "$DIR cannot be written; $(room)"
    flock -w 60 9 || fail "another deployment is under way on this host"
}
# Ends the processes of these workers; waits until they have handed back their work.
stop() {
    signal=TERM
    [ "$NOW" = no ] || signal=KILL
    for number in "$@"; do
        for file in "$DIR/worker-$number.pid" "$DIR/worker-$number.child"; do
            # A supervisor passes the signal on; a worker without one gets it itself.
            pid=$(alive "$file") && kill -s "$signal" "$pid" 2> /dev/null && [ "$NOW" = no ] && break
        done
    done
    left=$((WAIT * 5))
    for number in "$@"; do
        while alive "$DIR/worker-$number.pid" > /dev/null || alive "$DIR/worker-$number.child" > /dev/null; do
            [ "$left" -gt 0 ] || fail "worker $number has not ended within $WAIT s; \`stop --now\` kills it"
            left=$((left - 1))
            sleep 0.2
        done
        rm -f "$DIR/worker-$number.pid" "$DIR/worker-$number.child"
    done
}
# One line for each worker: number, state, restarts, last exit code, last words.
workers() {
    for number in $(numbers); do
        phase=stopped restarts=0 code=-
        [ ! -f "$DIR/worker-$number.state" ] || read -r phase restarts code < "$DIR/worker-$number.state"
        if ! alive "$DIR/worker-$number.pid" > /dev/null; then
            case $phase in
                running | waiting)
                    phase=lost
                    ! alive "$DIR/worker-$number.child" > /dev/null || phase=orphan ;;
            esac
        fi
        last=
        case $phase in
            running)
                # Where a worker is up and does not get through, its log says why.
                [ "$EXPLAIN" = no ] || last=$(grep -E ' (WARN|ERROR) ' "$DIR/worker-$number.log" 2> /dev/null |
                    tail -n 1 | cut -c1-300) ;;
            stopped | finished) ;;
            *) last=$(tail -n 1 "$DIR/worker-$number.out" 2> /dev/null | cut -c1-300) ;;
        esac
        say "worker $number $phase $restarts $code $last"
    done
}

case $ACTION in
    probe)
        say "system $(uname -s) $(uname -m)"
        [ ! -d "$DIR" ] || say "directory $DIR"
        [ ! -L "$DIR/hasami" ] || say "binary $(readlink "$DIR/hasami")"
        [ ! -x "$DIR/$BINARY" ] || say "has $BINARY"
        [ ! -f "$DIR/access.json" ] || say access
        [ ! -f "$DIR/wanted" ] || say "wanted $(cat "$DIR/wanted")"
        workers ;;
    upload)
        mkdir -p "$DIR" || fail "$DIR cannot be made"
        part=$DIR/$BINARY.$$.part
        trap 'rm -f "$part"' EXIT HUP INT TERM
        cat > "$part" || fail "the program cannot be written to $DIR; $(room)"
        sum=$(sha256sum "$part" | cut -d' ' -f1)
        [ "$sum" = "$DIGEST" ] || fail "the copy of the program is not complete; $(room)"
        chmod 0700 "$part"
        version=$("$part" -V 2>&1 < /dev/null) || fail "the program does not run there: $(echo "$version" | tail -n 1)"
        mv -f "$part" "$DIR/$BINARY" || fail "the program cannot be written to $DIR; $(room)"
        say "version $version" ;;
    start)
        mkdir -p "$DIR" || fail "$DIR cannot be made"
        lock
        [ -x "$DIR/$BINARY" ] || fail "the program is not there"
        command -v setsid > /dev/null || fail "setsid is missing (package util-linux)"
        old=$(readlink "$DIR/hasami" 2> /dev/null)
        changed=$RESTART
        [ "$old" = "$BINARY" ] || changed=yes
        [ "$ARGS" = "$(cat "$DIR/args" 2> /dev/null)" ] || changed=yes
        [ -z "$ACCESS" ] || changed=yes
        stopped=
        for number in $(numbers); do
            if [ "$number" -gt "$WORKERS" ] || [ "$changed" = yes ] ||
                ! alive "$DIR/worker-$number.pid" > /dev/null; then
                stopped="$stopped $number"
            fi
        done
        # shellcheck disable=SC2086
        stop $stopped
        for number in $stopped; do
            [ "$number" -le "$WORKERS" ] || rm -f "$DIR/worker-$number".*
        done
        [ "$old" = "$BINARY" ] || { ln -sfn "$BINARY" "$DIR/hasami.part" && mv -fT "$DIR/hasami.part" "$DIR/hasami"; } ||
            fail "the program cannot be put in place; $(room)"
        put "$DIR/args" "$ARGS"
        put "$DIR/wanted" "$WORKERS"
        put "$DIR/supervise.sh" "$SUPERVISE"
        [ -z "$ACCESS" ] || { put "$DIR/access.json" "$ACCESS" && chmod 0400 "$DIR/access.json"; }
        number=1
        while [ "$number" -le "$WORKERS" ]; do
            if ! alive "$DIR/worker-$number.pid" > /dev/null; then
                rm -f "$DIR/worker-$number.state"
                setsid sh "$DIR/supervise.sh" "$DIR" "$number" "$NAME-$number" \
                    < /dev/null > /dev/null 2>&1 9>&- &
                # It says so when the worker is started, too.
                tries=100
                until [ -f "$DIR/worker-$number.state" ] || [ "$tries" -eq 0 ]; do
                    sleep 0.1
                    tries=$((tries - 1))
                done
                [ "$tries" -gt 0 ] || fail "worker $number does not start; $(room)"
                say "started $number"
            fi
            number=$((number + 1))
        done
        # Programs of earlier releases; a worker that still runs one keeps it open.
        for file in "$DIR"/bin-*; do
            [ "$file" = "$DIR/$BINARY" ] || rm -f "$file"
        done
        workers ;;
    stop)
        [ -d "$DIR" ] || exit 0
        lock
        # shellcheck disable=SC2046
        stop $(numbers)
        workers
        put "$DIR/wanted" 0
        if [ "$REMOVE" = yes ]; then
            for file in hasami args wanted supervise.sh access.json lock; do rm -f "$DIR/$file"; done
            rm -f "$DIR"/bin-* "$DIR"/worker-* "$DIR"/*.part
            rmdir "$DIR" 2> /dev/null || fail "$DIR has other files; it is left"
            # Other hosts may have theirs beside it.
            rmdir "${DIR%/*}" 2> /dev/null || true
        fi ;;
    logs)
        set --
        for file in "$DIR"/worker-*.log "$DIR"/worker-*.out; do
            [ ! -s "$file" ] || set -- "$@" "$file"
        done
        [ $# -gt 0 ] || fail "no logs there yet"
        if [ "$FOLLOW" = yes ]; then
            exec tail -n "$LINES" -F -- "$@"
        fi
        tail -v -n "$LINES" -- "$@" ;;
esac
