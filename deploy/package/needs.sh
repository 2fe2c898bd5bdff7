#!/bin/sh
# Which shared libraries and which version of the C library a binary needs. Fails if that is more
# than needs.txt allows: the package would stop to run on systems that it ran on.
set -eu
binary=$1
allowed=$(dirname "$0")/needs.txt
libraries=$(readelf --dynamic --wide "$binary" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | sort)
glibc=$(readelf --version-info --wide "$binary" | grep -o 'GLIBC_[0-9.]*' | sed 's/GLIBC_//' |
    sort --unique --version-sort | tail -n 1)
printf '%s\n' "$libraries" | sed 's/^/library /'
printf 'GLIBC %s\n' "$glibc"

status=0
for library in $libraries; do
    if ! grep -qxF "library $library" "$allowed"; then
        echo "$binary needs $library, which $allowed does not allow" >&2
        status=1
    fi
done
most=$(sed -n 's/^GLIBC //p' "$allowed")
if [ "$(printf '%s\n%s\n' "$glibc" "$most" | sort --version-sort | tail -n 1)" != "$most" ]; then
    echo "$binary needs version $glibc of the C library; $allowed allows $most" >&2
    status=1
fi
exit $status
