#!/bin/sh
# Makes target/package: the stripped binary, what it needs of a system, and the Debian package.
# Run by `make package` after the build, with the path of the release binary. The same commit gives
# the same bytes: times come from SOURCE_DATE_EPOCH, by default the time of the commit.
set -eu
umask 022
binary=$1
out=$2
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
cd "$top"

if [ -z "${SOURCE_DATE_EPOCH:-}" ]; then
    SOURCE_DATE_EPOCH=$(git log -1 --format=%ct 2>/dev/null || echo 1700000000)
fi
export SOURCE_DATE_EPOCH
export LC_ALL=C TZ=UTC0

rm -rf "$out"
mkdir -p "$out"
strip --strip-all -o "$out/hasami" "$binary"
sh "$here/needs.sh" "$out/hasami" | tee "$out/hasami.needs"

if ! command -v dpkg-deb > /dev/null; then
    echo "no dpkg-deb here: $out has the binary, and no Debian package" >&2
    exit 0
fi

# MAJOR.MINOR.PATCH of the release, then the number of the commit, so that each build of a later
# commit is an upgrade.
release=$("$out/hasami" -V | sed -n 's/^hasami \([0-9.]*\).*/\1/p')
commits=$(git rev-list --count HEAD 2>/dev/null || echo 0)
version=${HASAMI_PACKAGE_VERSION:-$release+git$commits}
architecture=$(dpkg --print-architecture)

root=$out/root
doc=$root/usr/share/doc/hasami
mkdir -p "$root/DEBIAN" "$root/usr/bin" "$root/usr/lib/systemd/system" "$root/usr/lib/sysusers.d" \
    "$root/etc/hasami" "$doc/examples" "$root/usr/share/man" \
    "$root/usr/share/bash-completion/completions" "$root/usr/share/zsh/vendor-completions" \
    "$root/usr/share/fish/vendor_completions.d"
install -m 0755 "$out/hasami" "$root/usr/bin/hasami"
install -m 0644 deploy/systemd/*.service "$root/usr/lib/systemd/system/"
install -m 0644 "$here/debian/sysusers.conf" "$root/usr/lib/sysusers.d/hasami.conf"
install -m 0644 deploy/etc/*.toml "$root/etc/hasami/"

"$out/hasami" completions bash > "$root/usr/share/bash-completion/completions/hasami"
"$out/hasami" completions zsh > "$root/usr/share/zsh/vendor-completions/_hasami"
"$out/hasami" completions fish > "$root/usr/share/fish/vendor_completions.d/hasami.fish"
"$out/hasami" man "$root/usr/share/man/man1" --output quiet > /dev/null
gzip -9n "$root"/usr/share/man/man1/*.1

install -m 0644 README.md CHANGELOG.md CITATION.cff docs/*.md "$doc/"
gzip -9n "$doc/CHANGELOG.md"
install -m 0644 examples/* "$doc/examples/"
cp -R deploy/sweeps deploy/kubernetes deploy/container "$doc/examples/"
sh "$here/copyright.sh" > "$doc/copyright"

sed -e "s/@VERSION@/$version/" -e "s/@ARCHITECTURE@/$architecture/" \
    -e "s/@GLIBC@/$(sed -n 's/^GLIBC //p' "$out/hasami.needs")/" \
    -e "s/@SIZE@/$(du -sk --apparent-size "$root" | cut -f1)/" \
    "$here/debian/control.in" > "$root/DEBIAN/control"
(cd "$root" && find etc -type f | sort | sed 's|^|/|') > "$root/DEBIAN/conffiles"
(cd "$root" && find . -path ./DEBIAN -prune -o -type f -print0 | sed -z 's|^\./||' | sort -z |
    xargs -0 md5sum) > "$root/DEBIAN/md5sums"
for script in postinst prerm postrm; do
    install -m 0755 "$here/debian/$script" "$root/DEBIAN/$script"
done

# One thread: the bytes must not depend on the machine. Tests do not wait for the compression.
deb=$out/hasami_${version}_${architecture}.deb
dpkg-deb --root-owner-group -Z"${HASAMI_PACKAGE_COMPRESSION:-xz}" --threads-max=1 --build "$root" "$deb" > /dev/null
rm -rf "$root"
(cd "$out" && sha256sum hasami hasami_*.deb > SHA256SUMS)
ls -l "$out"
