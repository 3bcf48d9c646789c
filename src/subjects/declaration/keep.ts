import { createHash } from 'node:crypto';
import type { Config } from '../../ground/config/config.ts';
import type { Db } from '../../ground/db/client.ts';
import { madridDay } from '../../ground/lib/calendar.ts';
import { clock } from '../../ground/lib/clock.ts';
import type { Declaration } from './declaration.ts';
import { keepDeclaration, latestDeclaration, readDeclarations } from './store.ts';
import { declarationText } from './text.ts';

/**
 * The declaration of the running version, kept for ever from its first run on. When what it says has changed under the
 * same version, such as the producer's address, it is another one, signed today, and the older one stays listed.
 */
export async function currentDeclaration(
  { pool }: Pick<Db, 'pool'>,
  { software, declaration }: Pick<Config, 'software' | 'declaration'>,
): Promise<Declaration> {
  const kept = await latestDeclaration(pool, software.version);
  if (kept !== null) {
    if (kept.text === declarationText(software, declaration, madridDay(kept.firstRunAt))) return kept;
  }
  const firstRunAt = clock.now();
  const text = declarationText(software, declaration, madridDay(firstRunAt));
  const sha256 = createHash('sha256').update(text, 'utf8').digest('hex');
  const current = { version: software.version, sha256, text, firstRunAt };
  // Two processes that start together write the same.
  await keepDeclaration(pool, current);
  return current;
}

/** All that were ever in force, the newest first. */
export async function allDeclarations({ pool }: Pick<Db, 'pool'>): Promise<Declaration[]> {
  return readDeclarations(pool);
}
