#!/usr/bin/env bash
# A private PostgreSQL with pgvector, on loopback only.
#
#   cluster.sh start DIR   start the cluster in DIR, creating it if necessary, and print its URL
#   cluster.sh stop DIR    stop it and keep its data in DIR
#   cluster.sh session     for tests: a temporary cluster that runs as long as stdin is open
#   cluster.sh install     only install missing software
#
# A session prints its URL and then executes the commands stop, start and restart, one per line, and answers "ok" to
# each. At the end of stdin it stops the server and deletes its files, so it never outlives its test, even a killed one.
#
# On a Debian-like system, root installs missing software: the server with apt, and pgvector with apt or, if the release
# has none with halfvec, from the source package of a newer release on the same mirror. Elsewhere install both yourself;
# pg_config must find them. Environment variables:
#
#   LENS_PGVECTOR_SOURCE   a directory with pgvector's source to build instead
#   LENS_PGTEST_BARE=1     session: a server without pgvector (the machine's own server stays unchanged)
#
# Only the URL and the answers go to stdout. Exit status: 0 done, 1 failed, 2 wrong usage.
[ -n "${BASH_VERSION:-}" ] || exec bash "$0" "$@"
set -euo pipefail
umask 022
export LC_ALL=C
PATH=$PATH:/usr/sbin:/sbin

readonly least_pgvector=0.7.0 # the first with halfvec
readonly newer_release=trixie # its pgvector is built if the machine's release has none

bin= share= lib= # the server's programs, shared files and libraries
dir=             # the directory of the cluster
work=            # a temporary directory, deleted at the end
session=         # set if the cluster ends with this script

note() { printf 'cluster.sh: %s\n' "$*" >&2; }
fail() { note "$*"; exit 1; }

# ---- finding and installing -----------------------------------------------------------------------------------------

# Finds the newest server with pgvector; if there is none, the newest server.
find_server() {
	local config candidate found=
	for config in $(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -Vr) "$(dirname "$(command -v pg_config || echo /)")"; do
		[ -x "$config/postgres" ] && [ -x "$config/initdb" ] || continue
		candidate=$config
		use_server "$candidate"
		if has_pgvector; then return 0; fi
		found=${found:-$candidate}
	done
	[ -n "$found" ] && use_server "$found"
}

use_server() {
	local release
	bin=$1
	release=$(basename "$(dirname "$bin")")
	if [ -d "/usr/share/postgresql/$release" ]; then
		share=/usr/share/postgresql/$release
		lib=$(dirname "$bin")/lib
	else
		share=$("$bin/pg_config" --sharedir)
		lib=$("$bin/pg_config" --pkglibdir)
	fi
}

has_pgvector() {
	local version
	version=$(sed -n "s/^default_version *= *'\(.*\)'.*/\1/p" "$share/extension/vector.control" 2>/dev/null) || return 1
	[ -n "$version" ] && [ -f "$share/extension/vector--$version.sql" ] && at_least "$version"
}

at_least() { [ "$(printf '%s\n%s\n' "$least_pgvector" "$1" | sort -V | head -n 1)" = "$least_pgvector" ]; }

ensure_installed() {
	if find_server && has_pgvector; then return; fi
	[ "$(id -u)" = 0 ] && command -v apt-get >/dev/null ||
		fail "no PostgreSQL with pgvector $least_pgvector or newer here, and only root on a Debian-like system can install it:" \
			"install both and see that pg_config is on the PATH"
	exec 9>/run/lock/lens-pgtest # one installation at a time on this machine
	flock 9
	if find_server && has_pgvector; then return; fi # another process was faster
	quiet apt-get update || fail "apt-get update failed"
	if ! find_server; then install_server; fi
	if ! has_pgvector; then install_pgvector; fi
	exec 9>&-
}

# Runs a command and shows its output only if it fails. Its children must not hold the lock.
quiet() {
	local log
	log=$(mktemp)
	if DEBIAN_FRONTEND=noninteractive "$@" >"$log" 2>&1 </dev/null 9>&-; then
		rm -f "$log"
	else
		cat "$log" >&2
		rm -f "$log"
		return 1
	fi
}

install() { quiet apt-get install -y -q --no-install-recommends -o DPkg::Lock::Timeout=300 "$@"; }

install_server() {
	note "installing PostgreSQL"
	# Otherwise the package would create its own cluster and start it on the default port.
	mkdir -p /etc/postgresql-common/createcluster.d
	echo "create_main_cluster = off" >/etc/postgresql-common/createcluster.d/lens-tests.conf
	install postgresql || fail "apt could not install postgresql"
	rm -f /etc/postgresql-common/createcluster.d/lens-tests.conf
	find_server || fail "PostgreSQL was installed, but its programs are not below /usr/lib/postgresql"
}

install_pgvector() {
	local release package offered
	release=$(basename "$(dirname "$bin")")
	package=postgresql-$release-pgvector
	offered=$(apt-cache policy "$package" 2>/dev/null | sed -n 's/^ *Candidate: //p')
	if [ -z "${LENS_PGVECTOR_SOURCE:-}" ] && [ -n "$offered" ] && at_least "$offered"; then
		note "installing $package"
		install "$package" || fail "apt could not install $package"
	else
		work=$(mktemp -d)
		build_pgvector "$release"
		rm -rf -- "$work"
		work=
	fi
	has_pgvector || fail "pgvector was installed, but $share/extension/vector.control does not show it"
}

build_pgvector() {
	local release=$1 source=${LENS_PGVECTOR_SOURCE:-} version
	command -v gcc >/dev/null || install gcc libc6-dev || fail "apt could not install a C compiler"
	if [ -z "$source" ]; then
		fetch_source
		source=$work/source
	fi
	fetch_headers "$release"
	version=$(sed -n "s/^default_version *= *'\(.*\)'.*/\1/p" "$source/vector.control")
	note "building pgvector $version for PostgreSQL $release"
	# Plain -O2, so that the library runs on any machine that the image is copied to. NDEBUG as in upstream's build.
	quiet gcc -shared -fPIC -O2 -ftree-vectorize -fno-math-errno -DNDEBUG \
		-I"$work/headers/usr/include/postgresql/$release/server" -I"$work/headers/usr/include/postgresql/internal" \
		-I/usr/include/postgresql/"$release"/server -I"$source/src" -D_GNU_SOURCE \
		-o "$work/vector.so" "$source"/src/*.c -lm || fail "pgvector did not compile"
	cp "$work/vector.so" "$lib/vector.so"
	cp "$source"/sql/vector--*--*.sql "$share/extension/"
	cp "$source/sql/vector.sql" "$share/extension/vector--$version.sql"
	cp "$source/vector.control" "$share/extension/" # last, because this file marks the extension as installed
}

# Unpacks the server's headers without installing them: the package depends on a second compiler.
fetch_headers() {
	local package=postgresql-server-dev-$1 installed
	[ -f "/usr/include/postgresql/$1/server/postgres.h" ] && return
	installed=$(dpkg-query -W -f '${Version}' "postgresql-$1" 2>/dev/null || true)
	note "fetching the headers of PostgreSQL $1"
	(cd "$work" && { quiet apt-get download -q "$package=$installed" || quiet apt-get download -q "$package"; }) ||
		fail "apt could not download $package"
	mkdir "$work/headers"
	dpkg-deb -x "$work/$package"_*.deb "$work/headers"
}

# Downloads the source package of pgvector in a newer release from this machine's mirror, with separate lists and caches:
# those of the machine stay unchanged.
fetch_source() {
	local mirror keyring apt=()
	mirror=$(apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' |
		awk -v release="$(. /etc/os-release && echo "${VERSION_CODENAME:-}")" '$2 == release && $3 == "main" { print $1; exit }')
	[ -n "$mirror" ] || fail "apt knows no mirror of this machine's release: set LENS_PGVECTOR_SOURCE to a folder with pgvector's source"
	keyring=/usr/share/keyrings/debian-archive-keyring.gpg
	[ -f "$keyring" ] || fail "this is not Debian: set LENS_PGVECTOR_SOURCE to a folder with pgvector's source"
	mkdir -p "$work"/{parts,lists/partial,cache/archives/partial,source}
	echo "deb-src [signed-by=$keyring] $mirror $newer_release main" >"$work/parts/newer.list"
	apt=(apt-get -q -o Dir::Etc::SourceList=/dev/null -o Dir::Etc::SourceParts="$work/parts" -o Dir::State::Lists="$work/lists"
		-o Dir::Cache="$work/cache" -o APT::Sandbox::User=root)
	note "fetching the source of pgvector"
	quiet "${apt[@]}" -o APT::Update::Error-Mode=any update || fail "the mirror did not answer for the sources of $newer_release"
	(cd "$work" && quiet "${apt[@]}" source --download-only pgvector) || fail "apt could not fetch the source of pgvector"
	tar -xzf "$work"/pgvector_*.orig.tar.gz -C "$work/source" --strip-components=1
}

# ---- the cluster ----------------------------------------------------------------------------------------------------

# The server refuses to run as root, so root runs it as the user postgres.
as_server() {
	if [ "$(id -u)" = 0 ]; then runuser -u postgres -- "$@"; else "$@"; fi
}

# Copies the server without pgvector. The server finds its files relative to its programs.
go_bare() {
	local root=$work/bare
	mkdir -p "$root$bin" "$root$(dirname "$share")" "$root$lib"
	cp "$bin"/{postgres,initdb,pg_ctl} "$root$bin/"
	cp -r "$share" "$root$share"
	cp -r "$lib/." "$root$lib/"
	find "$root$share/extension" "$root$lib" -maxdepth 1 -name 'vector*' -delete
	chmod 755 "$work"
	bin=$root$bin share=$root$share lib=$root$lib
}

make_cluster() {
	local password
	mkdir -p -- "$dir"
	[ -z "$(ls -A "$dir")" ] || fail "$dir is not empty and holds no cluster"
	password=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
	(umask 077 && echo "$password" >"$dir/password")
	if [ "$(id -u)" = 0 ]; then chown -R postgres: "$dir"; fi
	as_server "$bin/initdb" -D "$dir/data" -U lens --pwfile="$dir/password" -A scram-sha-256 -E UTF8 --locale=C --no-sync \
		>"$dir/initdb.log" 2>&1 || { cat "$dir/initdb.log" >&2; fail "initdb failed"; }
	as_server tee -a "$dir/data/postgresql.conf" >/dev/null <<-CONF

		listen_addresses = '127.0.0.1'
		unix_socket_directories = ''
		max_connections = 60
		${session:+fsync = off}
	CONF
}

running() { as_server "$bin/pg_ctl" -D "$dir/data" status >/dev/null 2>&1; }

# Starts the server, on its previous port if that is free.
start_server() {
	local port try
	if running; then return; fi
	port=$(as_server cat "$dir/port" 2>/dev/null || true)
	for try in 1 2 3 4 5 6 7 8 9 10; do
		# Below the range of ephemeral ports.
		port=${port:-$((20000 + RANDOM % 12000))}
		if as_server "$bin/pg_ctl" -D "$dir/data" -l "$dir/log" -o "-p $port" -w -t 60 -s start >/dev/null 2>&1 </dev/null; then
			echo "$port" | as_server tee "$dir/port" >/dev/null
			return
		fi
		as_server grep -q 'could not create any TCP/IP sockets' "$dir/log" || break
		as_server rm -f "$dir/log"
		port=
	done
	as_server tail -n 20 "$dir/log" >&2 || true
	fail "the server did not start"
}

stop_server() { # fast | immediate
	if ! running; then return; fi
	as_server "$bin/pg_ctl" -D "$dir/data" -m "$1" -w -t 60 -s stop >&2 </dev/null
}

url() { echo "postgres://lens:$(as_server cat "$dir/password")@127.0.0.1:$(as_server cat "$dir/port")/postgres?sslmode=disable"; }

# If the server's user cannot enter dir, because it is in root's home, the cluster goes to a path derived from dir.
settle() {
	if as_server test -x "$dir"; then return; fi
	dir=/var/tmp/lens-postgres-$(printf %s "$dir" | cksum | cut -d ' ' -f 1)
	note "the user postgres cannot enter that folder: the cluster is in $dir"
	mkdir -p -- "$dir"
}

start() {
	ensure_installed
	settle
	if ! as_server test -f "$dir/data/PG_VERSION"; then make_cluster; fi
	start_server
	url
}

stop() {
	find_server || fail "no PostgreSQL here"
	settle
	as_server test -f "$dir/data/PG_VERSION" || fail "$dir holds no cluster"
	stop_server fast
}

session() {
	local word
	session=yes
	ensure_installed
	work=$(mktemp -d)
	chmod 755 "$work"
	if [ -n "${LENS_PGTEST_BARE:-}" ]; then go_bare; fi
	dir=$work/cluster
	make_cluster
	start_server
	url
	while read -r word; do
		case $word in
		stop) stop_server immediate ;;
		start) start_server ;;
		restart) stop_server fast && start_server ;;
		*) fail "unknown word: $word" ;;
		esac
		echo ok
	done
}

finish() {
	local status=$?
	trap '' INT TERM HUP PIPE
	if [ -n "$session" ] && [ -n "$dir" ] && [ -d "$dir/data" ]; then stop_server immediate || true; fi
	if [ -n "$work" ]; then rm -rf -- "$work"; fi
	exit "$status"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

case ${1:-}:$# in
start:2 | stop:2)
	dir=$(mkdir -p -- "$2" && cd -- "$2" && pwd)
	cd /
	"$1"
	;;
session:1) cd / && session ;;
install:1) ensure_installed ;;
*)
	note "usage: cluster.sh start DIR | stop DIR | session | install"
	exit 2
	;;
esac
