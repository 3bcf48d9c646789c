# . /opt/lacre/deploy/systemd/shell.sh, in root's bash: what the guides of an installation on Debian refer to, in each new shell.

# The version of PostgreSQL, as Debian's paths and units name it.
export PG
PG=$(pg_lsclusters --no-header | awk 'NR == 1 { print $1 }')

# The password in one of the URLs below /etc/lacre/secrets: password database-owner-url
password() { sed 's#.*://[^:]*:\([^@]*\)@.*#\1#' "/etc/lacre/secrets/$1"; }

# Waits until the API process on a port serves, for five minutes at most: ready 3001
ready() {
  curl -sSf --retry 300 --retry-delay 1 --retry-all-errors -o /dev/null "http://127.0.0.1:$1/readyz" 2> /dev/null
}

# Restarts the processes of this machine, each once the one before it serves; stops at one that does not.
one_by_one() {
  for unit in $(systemctl list-units --plain --no-legend 'lacre-api@*' | awk '{ print $1 }') lacre-worker; do
    systemctl restart "$unit" || return
    port=${unit#*@}
    case "$unit" in *@*) ready "${port%.service}" || { echo "$unit does not serve" >&2 && return 1; } ;; esac
  done
}
