import { readSharedSecrets } from '../../ground/db/heartbeat.ts';
import { type EncryptionKeys, encryptionKeys } from '../../ground/lib/encryption.ts';
import type { CommandContext } from './command.ts';

/** The keys of `CERTIFICATE_KEYS`: a command encrypts with one that all live processes know, too. */
export async function commandKeys({
  db,
  config,
}: Pick<CommandContext, 'db' | 'config'>): Promise<EncryptionKeys> {
  const { marks } = encryptionKeys(config.certificateKeys);
  return encryptionKeys(config.certificateKeys, { sharedSecrets: await readSharedSecrets(db.pool, marks) });
}
