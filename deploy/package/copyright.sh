#!/bin/sh
# Prints the copyright file of the package: our licenses, and those of everything linked in, each
# text once with the crates that come under it.
set -eu
cat <<'END'
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: hasami

Files: *
Copyright: the authors of hasami
License: MIT or Apache-2.0
 The texts of both licenses follow, then those of the libraries that are part of the binary. The
 runtime libraries of GCC are part of it under the GCC Runtime Library Exception.

END
for license in LICENSE-MIT LICENSE-APACHE; do
    printf '======== hasami: %s\n\n' "$license"
    cat "$license"
done
registry=${CARGO_HOME:-$HOME/.cargo}/registry/src
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# A line for each crate: name, version, license. Crates of this workspace have a path in brackets.
"${CARGO:-cargo}" tree --locked --package hasami --edges normal --prefix none --format '{p}|{l}' |
    sed 's/ (\*)//' | grep -v ' (/' | sed 's/ (proc-macro)//' | sort -u > "$work/crates"
while IFS='|' read -r crate license; do
    name=${crate% v*}
    version=${crate##* v}
    printf '%s %s: %s\n' "$name" "$version" "$license" >> "$work/list"
    for text in "$registry"/*/"$name-$version"/LICEN[CS]E* "$registry"/*/"$name-$version"/COPYING* \
        "$registry"/*/"$name-$version"/NOTICE*; do
        [ -f "$text" ] || continue
        sum=$(tr -s '[:space:]' ' ' < "$text" | sha256sum | cut -d' ' -f1)
        [ -f "$work/$sum.text" ] || cp "$text" "$work/$sum.text"
        printf '%s %s\n' "$name" "$version" >> "$work/$sum.of"
    done
done < "$work/crates"
printf '======== Libraries and their licenses\n\n'
cat "$work/list"
for of in "$work"/*.of; do
    printf '\n======== %s\n\n' "$(sort -u "$of" | paste -sd, - | sed 's/,/, /g')"
    cat "${of%.of}.text"
done
