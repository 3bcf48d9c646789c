import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');

/** Where statements stand: with the store of a subject, with that of the journal, and in the ground's own two parts. */
const STORES =
  /^src\/(subjects\/[^/]+\/([^/]+\/)?store(\.ts|\/[^/]+\.ts)|ground\/journal\/store\/[^/]+\.ts|ground\/(db|queue)\/.+)$/;

/** By what SQL is known, each with texts that must be found. `context.query` reads the address of a page. */
const SIGNS: { what: string; pattern: RegExp; examples: readonly string[] }[] = [
  {
    what: 'something is asked of a connection',
    pattern: /(?<!\bcontext|\.)\.query\s*[<(]|\$(query|execute)Raw|\bsql`/,
    examples: [
      "await client.query('commit');",
      'await pool.query<{ id: string }>(TEXT, [id]);',
      'db.prisma.$queryRaw`x`',
      'sql`now()`',
    ],
  },
  {
    what: 'what runs statements is imported',
    pattern:
      /import \{[^}]*\b(execute|readRows?|readOneRow|runScript|checkRows)\b[^}]*\} from '[^']*\/rows\.ts'/,
    examples: [
      "import { execute } from '../../ground/db/rows.ts';",
      "import {\n  column,\n  readRow,\n} from './rows.ts';",
    ],
  },
  {
    what: 'a statement',
    pattern:
      /[`'"]\s*(select|insert into|update \w+( as)?( \w+)? set|delete from|with (recursive )?\w+( \([^)]*\))? as|begin|commit|rollback|savepoint|set (local|session)|lock table|truncate|alter (system|table|role)|create (table|role|index))\b(?![-'])/,
    examples: [
      "const text = 'select 1 from environment';",
      'const WRITE = `\n  with invoices as (\n    insert into invoice',
      '"update chain as c set hold = null"',
      'const TAKE = `insert into series_counter',
    ],
  },
  {
    what: 'part of a statement',
    pattern:
      /\w::(text|int|bigint|jsonb?|date|timestamptz)\b|\bfor (no key )?update\b|json_populate_record|\bon conflict\b|\b(left|cross) join \w|\bjoin \w+ (\w+ )?(on|using) ?\(?\w/,
    examples: [
      "const COLUMNS = 'id, type::text';",
      "const LOCKED = 'closed_at is null for update';",
      'const TABLES = `from environment e join company on company.id = e.company_id`;',
      'const BOTH = `join chain using (id)`;',
    ],
  },
];

type Source = { readonly file: string; readonly code: string };

/** What people read of it taken away. */
const withoutComments = (text: string) =>
  text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/(^|\s)\/\/.*$/gm, '$1');

const sources: Source[] = ['src', 'rest', 'jobs'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|mjs)$/.test(name))
    .map((name) => ({
      file: `${folder}/${name}`,
      code: withoutComments(readFileSync(join(ROOT, folder, name), 'utf8')),
    })),
);

describe.each(SIGNS)('$what', ({ pattern, examples }) => {
  test('is in stores only', () => {
    const found = sources.filter(({ code }) => pattern.test(code)).map(({ file }) => file);
    expect(found.some((file) => STORES.test(file))).toBe(true);
    expect(found.filter((file) => !STORES.test(file))).toEqual([]);
  });

  test.each(examples)('and would be detected: %s', (example) => expect(example).toMatch(pattern));
});

describe('rows', () => {
  /** Rows as the driver returns them, of which it says nothing but `any`. */
  const UNCHECKED = /\{ rows\b[^}]*\} = await|\)\.rows\b|\.query</;

  /** `rows.ts` checks each row; both readers of invoices take values by position and check the first row of each answer. */
  const READERS = /^src\/(ground\/db\/rows|subjects\/invoices\/store\/read(-newest)?)\.ts$/;

  test('are checked against a schema, not cast', () => {
    const found = sources.filter(({ file, code }) => STORES.test(file) && UNCHECKED.test(code));
    expect(found.map(({ file }) => file).filter((file) => !READERS.test(file))).toEqual([]);
  });

  test.each([
    ...["const { rows } = await client.query('select 1');", 'const first = (await answer).rows[0] as Row;'],
    'await db.query<Row>(TEXT);',
  ])('and a cast would be detected: %s', (example) => expect(example).toMatch(UNCHECKED));
});

describe('Prisma', () => {
  const READS = /\bprisma\.\w+\.\w+\(/g;
  const BY_SELECTION = /\bprisma\.\w+\.\w+\(\{[^;]*?\.\.\.(query|selectedOf)\b/g;

  test('is queried in stores, and by fields of GraphQL for exactly what was selected', () => {
    const readers = sources.filter(({ file, code }) => !STORES.test(file) && code.search(READS) !== -1);
    expect(readers.length).toBeGreaterThan(0);
    expect(
      readers.map(({ file }) => file).filter((file) => !file.startsWith('src/faces/graphql/schema/')),
    ).toEqual([]);
    for (const { file, code } of readers) {
      expect(code.match(BY_SELECTION) ?? [], file).toHaveLength(code.match(READS)?.length ?? 0);
    }
  });

  test('no type of GraphQL is given what is only said to be its row', () => {
    const schema = sources.filter(({ file }) => file.startsWith('src/faces/graphql/schema/'));
    expect(schema.length).toBeGreaterThan(10);
    expect(schema.filter(({ code }) => isForced(code)).map(({ file }) => file)).toEqual([]);
    expect(isForced('resolve: ({ status }) => status as Status,')).toBe(true);
    expect(isForced("description: 'as JSON', values: {} as const,")).toBe(false);
  });

  function isForced(code: string): boolean {
    const bare = code.replaceAll(/'(?:[^'\\\n]|\\.)*'|`[^`]*`/g, "''").replaceAll(/^import [\s\S]*?;$/gm, '');
    return / as (?!const\b)/.test(bare);
  }
});
