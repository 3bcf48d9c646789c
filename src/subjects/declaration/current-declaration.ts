import { createHash } from 'node:crypto';
import type { Config } from '../../ground/config/config.ts';
import type { Db } from '../../ground/db/client.ts';
import { madridDay } from '../../ground/lib/calendar.ts';
import { clock } from '../../ground/lib/clock.ts';
import type { Declaration } from './declaration.ts';
import { insertDeclaration, latestDeclaration, readDeclarations } from './store.ts';
import { declarationText } from './text.ts';

/**
 * The declaration of the running version, stored permanently at its first start. If its text has changed under the
 * same version, for example the producer's address, it is a new declaration, signed today, and the older one stays
 * listed.
 */
export async function currentDeclaration(
  { pool }: Pick<Db, 'pool'>,
  { software, declaration }: Pick<Config, 'software' | 'declaration'>,
): Promise<Declaration> {
  const stored = await latestDeclaration(pool, software.version);
  if (stored !== null) {
    if (stored.text === declarationText(software, declaration, madridDay(stored.firstRunAt))) return stored;
  }
  const firstRunAt = clock.now();
  const text = declarationText(software, declaration, madridDay(firstRunAt));
  const sha256 = createHash('sha256').update(text, 'utf8').digest('hex');
  const current = { version: software.version, sha256, text, firstRunAt };
  // Two processes that start together store the same text.
  await insertDeclaration(pool, current);
  return current;
}

/** All declarations that were ever in force, newest first. */
export async function allDeclarations({ pool }: Pick<Db, 'pool'>): Promise<Declaration[]> {
  return readDeclarations(pool);
}
