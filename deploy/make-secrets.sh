#!/bin/sh
# Makes the secrets of an installation, once: those that are there already stay. Keep a copy of certificate-keys and checkpoint-key.
# They go into the folder SECRETS, by default that of compose.yaml; the URLs name the server DATABASE_SERVER (host:port), by default its own.
set -eu
folder="${SECRETS:-$(dirname "$0")/secrets}"
server="${DATABASE_SERVER:-postgres:5432}"
mkdir -p "$folder"
# Containers read the files as users of their own; nobody else gets into the folder.
chmod 700 "$folder"
keep() {
  [ -e "$folder/$1" ] || { cat > "$folder/$1.new" && chmod 444 "$folder/$1.new" && mv "$folder/$1.new" "$folder/$1"; }
}
openssl rand -hex 24 | tr -d '\n' | keep database-password
printf 'postgres://lacre:%s@%s/lacre' "$(cat "$folder/database-password")" "$server" | keep database-owner-url
printf 'postgres://lacre_runtime:%s@%s/lacre' "$(openssl rand -hex 24)" "$server" | keep database-runtime-url
openssl rand -hex 32 | tr -d '\n' | keep link-secret
openssl rand -hex 32 | tr -d '\n' | keep checkpoint-key
printf 'main:%s' "$(openssl rand -base64 32)" | keep certificate-keys
openssl rand -hex 24 | tr -d '\n' | keep store-secret
