import type { Config } from '../../../ground/config/config.ts';
import type { Db } from '../../../ground/db/client.ts';
import { readSharedSecrets } from '../../../ground/db/heartbeat.ts';
import { encryptionKeys } from '../../../ground/lib/encryption.ts';
import { describeRows, withoutKey } from '../../../subjects/operations/encrypted.ts';
import { countEncrypted } from '../../../subjects/operations/store/read-encrypted.ts';
import { countUnreadable } from '../../../subjects/webhooks/secrets.ts';
import { type Finding, failure, ok, warning } from './finding.ts';

const CHECK = 'encrypted rows';

/** Whether these settings decrypt what is stored, by key; and whether all processes would. */
export async function encryptedRows(config: Config, { pool }: Db): Promise<Finding[]> {
  const keys = encryptionKeys(config.certificateKeys);
  const rows = await countEncrypted(pool);
  const missing = withoutKey(rows, keys);
  const findings: Finding[] = [];
  if (missing.length > 0)
    findings.push(
      failure(
        CHECK,
        `no key for ${describeRows(missing)}`,
        'add the key to CERTIFICATE_KEYS again, then "lacre certificates rotate-keys"',
      ),
    );
  for (const { keyName, endpoints } of await countUnreadable({ db: { pool }, keys }))
    findings.push(
      failure(
        CHECK,
        `the key named ${keyName} does not decrypt the secrets of ${endpoints.length} endpoints, such as ${endpoints[0]}: nothing is delivered there`,
        'set the key that had this name in CERTIFICATE_KEYS, or rotate the secrets of these endpoints',
      ),
    );
  const shared = await readSharedSecrets(pool, keys.marks);
  if (shared.size === 0)
    findings.push(
      warning(
        CHECK,
        'the live processes and these settings have no key of CERTIFICATE_KEYS in common',
        'give all of them one list of keys (docs/guides/operating.md, Replacing a secret)',
      ),
    );
  return findings.length > 0 ? findings : [ok(CHECK, rows.length === 0 ? 'none' : describeRows(rows))];
}
