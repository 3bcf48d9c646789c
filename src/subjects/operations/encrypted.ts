import type { Db } from '../../ground/db/client.ts';
import type { EncryptionKeys, encryptionKeys } from '../../ground/lib/encryption.ts';
import { countEncrypted, type EncryptedRows } from './store/read-encrypted.ts';

type KeySettings = Parameters<typeof encryptionKeys>[0];

/** The rows that none of the keys can decrypt, because no key has the name of theirs. */
export function withoutKey(
  rows: readonly EncryptedRows[],
  { all }: Pick<EncryptionKeys, 'all'>,
): EncryptedRows[] {
  return rows.filter(({ keyName }) => all.every(({ name }) => name !== keyName));
}

/** Rows of one key after the other, as an operator reads it. */
export function describeRows(rows: readonly EncryptedRows[]): string {
  return rows.map(({ kind, keyName, count }) => `${count} ${kind} with ${keyName}`).join(', ');
}

/** Throws if a row needs a key that the settings do not hold: what it is for would fail one request after the other. */
export async function requireKeys({ pool }: Pick<Db, 'pool'>, keys: KeySettings): Promise<void> {
  const missing = withoutKey(await countEncrypted(pool), { all: keys });
  if (missing.length === 0) return;
  throw new Error(
    `CERTIFICATE_KEYS lacks keys that the database needs: ${describeRows(missing)}. Add them again; to replace a key, see ` +
      'docs/guides/operating.md, Replacing a secret',
  );
}
