import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

/** A migration by name and content, as a file of this version or as applied to a database. */
export type Migration = { readonly name: string; readonly sha256: string };

const DIRECTORY = new URL('./migrations/', import.meta.url);

/** The names of this version's migrations, in their order. */
export function migrationNames(): string[] {
  return readdirSync(DIRECTORY)
    .filter((name) => name.endsWith('.sql'))
    .sort();
}

/** This version's migrations with their statements, in their order. */
export function migrationFiles(): (Migration & { readonly sql: string })[] {
  return migrationNames().map((name) => {
    const sql = readFileSync(new URL(name, DIRECTORY), 'utf8');
    return { name, sql, sha256: createHash('sha256').update(sql).digest('hex') };
  });
}

/** The database was migrated by a version whose migrations are not those of this one: neither can continue from the other's. */
export class OtherHistory extends Error {
  override readonly name = 'Error';
  /** In one line. */
  readonly differences: string;
  readonly remedy = REMEDY;

  constructor(differences: readonly string[]) {
    const shown = differences.slice(0, SHOWN);
    const more = differences.length - shown.length;
    const lines = more > 0 ? [...shown, `and ${more} more`] : shown;
    super([`${OTHER}:`, ...lines.map((line) => `  ${line}`), `Nothing was changed. ${REMEDY}`].join('\n'));
    this.differences = `${OTHER}: ${lines.join('; ')}`;
  }
}

/** The database lacks migrations or rights, which this process may not add. */
export class NotMigrated extends Error {
  override readonly name = 'Error';
}

const OTHER =
  'the database was migrated by a version of the service whose migrations are not those of this version';
const SHOWN = 10;
const REMEDY =
  'Run the version that migrated it, or restore a backup that this version can migrate (docs/guides/upgrading.md, When migrations differ)';

/**
 * Throws `OtherHistory`, with each difference and what to do, if the migrations of a database are not a part of this
 * version's. Names after this version's last are no difference: a newer version has applied them.
 */
export function refuseOtherHistory(applied: readonly Migration[], own: readonly Migration[]): void {
  const differences = differencesOf(applied, own);
  if (differences.length > 0) throw new OtherHistory(differences);
}

function differencesOf(applied: readonly Migration[], own: readonly Migration[]): string[] {
  const contents = new Map(own.map(({ name, sha256 }) => [name, sha256]));
  const names = new Map(own.map(({ name, sha256 }) => [sha256, name]));
  const last = own.at(-1)?.name ?? '';
  return applied.toSorted(byName).flatMap(({ name, sha256 }) => {
    const here = contents.get(name);
    if (here === sha256) return [];
    const called = names.get(sha256);
    if (called !== undefined) return [`${name} is called ${called} here`];
    if (here !== undefined) return [`${name} was changed after it had been applied`];
    return name > last ? [] : [`${name} was applied and is not in this version`];
  });
}

const byName = (one: Migration, other: Migration): number => (one.name < other.name ? -1 : 1);
