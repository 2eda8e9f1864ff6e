#!/bin/sh
# Builds the programs of Kubernetes 1.20 from Debian 12's source package into FOLDER/bin, with Debian's kubectl of the same version.
# Usage: build.sh FOLDER. Needs root, and about 4 GB there while it builds; ten minutes on two processors.
set -eu
folder=$1
programs="kube-apiserver kube-controller-manager kube-scheduler kubelet"
export DEBIAN_FRONTEND=noninteractive

apt-get update -q
apt-get install -q -y --no-install-recommends golang-1.19-go golang-github-modern-go-reflect2-dev rsync make git patch xz-utils

# A list of sources of our own, since a machine has rarely one of source packages.
mirror=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/*.sources 2> /dev/null | sed -n -E 's/^(URIs:|deb) +(\[[^]]*\] +)?(https?:[^ ]+).*/\3/p' | head -n 1)
mkdir -p "$folder/apt/lists/partial" "$folder/source" "$folder/bin"
echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] ${mirror:-http://deb.debian.org/debian} bookworm main" > "$folder/apt/sources.list"
set -- -o Dir::Etc::sourcelist="$folder/apt/sources.list" -o Dir::Etc::sourceparts=/nonexistent -o Dir::State::lists="$folder/apt/lists"
apt-get "$@" update -q
cd "$folder"
apt-get "$@" source -q --download-only kubernetes

# Another kubectl may be installed, so Debian's is taken out of its package.
apt-get download -q kubernetes-client
dpkg-deb --extract kubernetes-client_*.deb client
cp client/usr/bin/kubectl bin/

cd source
tar --extract --gzip --strip-components=1 --file ../kubernetes_*.orig.tar.gz
tar --extract --xz --file ../kubernetes_*.debian.tar.xz
while read -r name; do patch --strip=1 --silent < "debian/patches/$name"; done < debian/patches/series

# The copy of reflect2 in the source does not work with Go 1.18 and later: the API server would crash.
reflect2=vendor/github.com/modern-go/reflect2
rm -f $reflect2/*.go $reflect2/*.s
cp /usr/share/gocode/src/github.com/modern-go/reflect2/*.go /usr/share/gocode/src/github.com/modern-go/reflect2/*.s $reflect2/
rm -f $reflect2/*_test.go

mkdir -p .go/src/k8s.io
ln -s ../../.. .go/src/k8s.io/kubernetes
unset GOPROXY GOFLAGS || true
export GO111MODULE=off CGO_ENABLED=0 GOPATH="$PWD/.go" GOCACHE="$folder/cache" HOME="$folder" PATH="/usr/lib/go-1.19/bin:$PATH"
make WHAT="$(printf 'cmd/%s ' $programs)"
for name in $programs; do cp "_output/local/bin/linux/$(go env GOARCH)/$name" "$folder/bin/"; done

cd "$folder"
chmod -R u+w source
rm -rf source cache client apt .cache ./*.deb ./*.tar.* ./*.dsc
