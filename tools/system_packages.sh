#!/bin/sh
# The programs that tests need beside Python: PostgreSQL's server, strace and a Chromium. Silent when they are there;
# installs what is missing where it may (root on Debian or Ubuntu), and otherwise says exactly what to install.
# `tools/system_packages.sh [postgresql] [strace] [chromium]` looks for some of them only.
set -eu

there() {  # PROGRAM [more folders]: is it on the PATH or in one of the folders?
    command -v "$1" >/dev/null 2>&1 && return 0
    program=$1
    shift
    for folder in "$@"; do
        [ -x "$folder/$program" ] && return 0
    done
    return 1
}

missing=""
for wanted in ${*:-postgresql strace chromium}; do
    case $wanted in
        postgresql)  # Debian keeps its server's programs off the PATH
            { there initdb /usr/lib/postgresql/*/bin && there pg_ctl /usr/lib/postgresql/*/bin; } || missing="$missing postgresql"
            ;;
        strace) there strace || missing="$missing strace" ;;
        chromium)
            there chromium || there chromium-browser || there google-chrome || missing="$missing chromium"
            ;;
        *)
            echo "system_packages.sh knows postgresql, strace and chromium; got '$wanted'." >&2
            exit 2
            ;;
    esac
done
[ -z "$missing" ] && exit 0

if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "installing$missing for the tests" >&2
    export DEBIAN_FRONTEND=noninteractive
    # The tests start servers of their own: a service of the system's is not wanted.
    mkdir -p /etc/postgresql-common
    [ -e /etc/postgresql-common/createcluster.conf ] ||
        echo "create_main_cluster = false" >/etc/postgresql-common/createcluster.conf
    # shellcheck disable=SC2086
    if { apt-get install -y -qq --no-install-recommends $missing || {
        apt-get update -qq && apt-get install -y -qq --no-install-recommends $missing
    }; } >/dev/null; then
        exit 0
    fi
fi
echo "The tests need these programs, which are not here:$missing." >&2
echo "On Debian or Ubuntu: sudo apt-get install$missing. On Fedora: sudo dnf install$(echo "$missing" | sed 's/postgresql/postgresql-server/')." >&2
echo "With Homebrew: brew install$missing (strace is for Linux only)." >&2
exit 1
