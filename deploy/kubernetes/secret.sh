#!/bin/sh
# Makes a token for workers at the running coordinator, and the Secret that pods read. Run again, it
# replaces both; workers then need a restart. Arguments: the namespace (default hasami), the name of
# the token (default kubernetes).
set -eu
namespace=${1:-hasami}
token=${2:-kubernetes}
file=$(mktemp)
trap 'rm -f "$file"' EXIT
hasami() {
    kubectl --namespace "$namespace" exec coordinator-0 -- \
        hasami "$@" --access /var/lib/hasami/data/access.json
}
# Through pipes only: the token is on no command line and in no other file.
if hasami access list --output quiet | grep -qxF "$token"; then
    hasami access rotate "$token" > "$file"
else
    hasami access add "$token" --role worker > "$file"
fi
kubectl --namespace "$namespace" create secret generic worker-access \
    --from-file=access.json="$file" --dry-run=client --output yaml |
    kubectl --namespace "$namespace" apply --filename -
