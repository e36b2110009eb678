#!/usr/bin/env bash
# A private S3 server, versitygw over plain files, on loopback only.
#
#   server.sh run DIR [PORT]   print the URL and its environment, then serve the folder DIR until interrupted
#   server.sh session          for tests: print URL and folder of a temporary server that runs while stdin is open
#   server.sh install          build the server if it is missing
#   server.sh installed        exit 0 if the server is built
#
# A bucket is a folder in DIR, whose file system must support extended attributes. The server is built once, with the
# go on the PATH and the Go module proxy, into lens-test in the user's cache folder. Run this script inside Lens' module.
# Exit status: 0 done, 1 failed, 2 wrong usage, 3 the server is missing and cannot be built.
[ -n "${BASH_VERSION:-}" ] || exec bash "$0" "$@"
set -euo pipefail
umask 022
export LC_ALL=C

readonly version=v1.8.0
readonly access=test-access secret=test-secret # used by this server only

work=  # a scratch folder, deleted at the end
child= # the server

note() { printf 'server.sh: %s\n' "$*" >&2; }
fail() { note "$*"; exit 1; }
cannot() { note "$*"; exit 3; }

finish() {
	local status=$?
	trap '' INT TERM HUP PIPE
	if [ -n "$child" ]; then
		kill "$child" 2>/dev/null || true
		wait "$child" 2>/dev/null || true
	fi
	if [ -n "$work" ]; then rm -rf -- "$work"; fi
	exit "$status"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

cache=${XDG_CACHE_HOME:-${HOME:-/nowhere}/.cache}/lens-test
program=$cache/versitygw-$version-lean

install() {
	if [ -x "$program" ]; then return; fi
	command -v go >/dev/null || cannot "go is not on the PATH: it is needed to build versitygw"
	mkdir -p -- "$cache" || cannot "cannot make $cache"
	exec 9<"$cache" # one build at a time on this machine
	flock 9
	if [ ! -x "$program" ]; then
		note "building versitygw $version: about a minute, once"
		work=$(mktemp -d "$cache/build.XXXXXX")
		build >"$work/log" 2>&1 9>&- || { tail -n 3 "$work/log" >&2; cannot "cannot build versitygw $version"; }
		mv -- "$work/gateway" "$program"
		rm -rf -- "$work"
		work=
	fi
	exec 9>&-
}

# Builds $work/gateway with Lens' go.mod plus versitygw, so that shared dependencies are compiled once.
build() {
	(
		unset GOOS GOARCH # the caller may be cross-compiling
		export GOFLAGS= GOWORK=off
		root=$(dirname -- "$(go env GOMOD)")
		cp -- "$root/go.mod" "$root/go.sum" "$work/"
		cd -- "$root"
		go mod edit -require="github.com/versity/versitygw@$version" "$work/go.mod"
		go build -modfile="$work/go.mod" -mod=mod -ldflags='-s -w' -o "$work/gateway" store/shard/s3/s3test/gateway/main.go
	)
}

# Succeeds if the server on port $1 answers at the path $2.
healthy() {
	local status=
	{ exec 7<>"/dev/tcp/127.0.0.1/$1" || return 1; } 2>/dev/null
	printf 'GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n' "$2" >&7 2>/dev/null || true
	IFS= read -r -t 5 status <&7 || true
	exec 7>&-
	[[ $status == 'HTTP/1.1 200 '* ]]
}

# Serves the folder $1 on port $2 or any free one, with its log at $3. Sets port.
launch() {
	local path try tick
	for try in 1 2 3 4 5 6 7 8 9 10; do
		port=${2:-$((20000 + RANDOM % 12000))} # below the range of ephemeral ports
		path=/lens-test-health-$$-$RANDOM$RANDOM # identifies this server
		env -i PATH="$PATH" HOME="${HOME:-/}" ROOT_ACCESS_KEY="$access" ROOT_SECRET_KEY="$secret" \
			"$program" "127.0.0.1:$port" "$path" "$1" </dev/null >"$3" 2>&1 &
		child=$!
		for ((tick = 0; tick < 600; tick++)); do
			if healthy "$port" "$path"; then return; fi
			if ! kill -0 "$child" 2>/dev/null; then break; fi
			sleep 0.05
		done
		kill "$child" 2>/dev/null || true
		wait "$child" 2>/dev/null || true
		child=
		if [ -n "${2:-}" ] || ! grep -q 'address already in use' "$3"; then break; fi
	done
	tail -n 5 "$3" >&2 || true
	fail "the server did not start"
}

run() {
	install
	mkdir -p -- "$1"
	work=$(mktemp -d)
	launch "$(cd -- "$1" && pwd)" "${2:-}" "$work/log"
	cat <<-END
		http://127.0.0.1:$port
		export AWS_ENDPOINT_URL_S3=http://127.0.0.1:$port AWS_REGION=us-east-1 AWS_ACCESS_KEY_ID=$access AWS_SECRET_ACCESS_KEY=$secret
	END
	wait "$child"
}

session() {
	install
	work=$(mktemp -d)
	mkdir "$work/buckets"
	launch "$work/buckets" "" "$work/log"
	printf '%s\n%s\n' "http://127.0.0.1:$port" "$work/buckets"
	while read -r _; do :; done
}

case ${1:-}:$# in
run:2 | run:3 | session:1 | install:1) "$@" ;;
installed:1) [ -x "$program" ] ;;
*)
	note "usage: server.sh run DIR [PORT] | session | install | installed"
	exit 2
	;;
esac
