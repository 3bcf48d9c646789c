import type { Config } from '../../../ground/config/config.ts';
import type { Db } from '../../../ground/db/client.ts';
import { isRefusal } from '../../../ground/errors/refusal.ts';
import { CAUSES, FIRST_STEPS } from '../../../ground/lib/causes.ts';
import { encryptionKeys } from '../../../ground/lib/encryption.ts';
import { readConfigured } from '../../../subjects/certificates/configured.ts';
import { certificatesInUse } from '../../../subjects/certificates/in-use.ts';
import { Vault } from '../../../subjects/certificates/vault.ts';
import { standingCauses } from '../../../subjects/operations/standing-causes.ts';
import { type Finding, failure, ok } from './finding.ts';

const CHECK = 'needs you now';

/** What the console and the alerts say too, in the same words. */
export async function causes(config: Config, db: Db): Promise<Finding[]> {
  const vault = new Vault(encryptionKeys(config.certificateKeys));
  const read = readConfigured(config.agency);
  // One that cannot be read has a finding of its own.
  const configured = read === null || isRefusal(read) ? null : { ...read, open: () => read.identity };
  const certificates = certificatesInUse({ db, vault }, configured);
  // Whether it accepts writes has been tried, and said.
  const found = await standingCauses({ db: { pool: db.pool, writes: { refused: null } }, certificates });
  if (found.length === 0) return [ok(CHECK, 'nothing')];
  return found.map((cause) => failure(CHECK, CAUSES[cause], FIRST_STEPS[cause]));
}
