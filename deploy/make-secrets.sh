#!/bin/sh
# Makes the secrets of compose.yaml, once: those that are there already stay. Keep a copy of certificate-keys and checkpoint-key.
set -eu
folder="$(dirname "$0")/secrets"
mkdir -p "$folder"
# Containers read the files as users of their own; nobody else gets into the folder.
chmod 700 "$folder"
keep() {
  [ -e "$folder/$1" ] || { cat > "$folder/$1.new" && chmod 444 "$folder/$1.new" && mv "$folder/$1.new" "$folder/$1"; }
}
openssl rand -hex 24 | tr -d '\n' | keep database-password
printf 'postgres://lacre:%s@postgres:5432/lacre' "$(cat "$folder/database-password")" | keep database-owner-url
printf 'postgres://lacre_runtime:%s@postgres:5432/lacre' "$(openssl rand -hex 24)" | keep database-runtime-url
openssl rand -hex 32 | tr -d '\n' | keep link-secret
openssl rand -hex 32 | tr -d '\n' | keep checkpoint-key
printf 'main:%s' "$(openssl rand -base64 32)" | keep certificate-keys
openssl rand -hex 24 | tr -d '\n' | keep store-secret
