import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');

/** A page of the repository (not one that the service serves at /docs) and, where it is given, a heading of it. */
const CITATION = /(?<!\/)\b(docs\/[\w/-]+\.md)(?:#([\w-]+))?/g;

function files(folder: string, ending: RegExp): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name}`)
    .filter((file) => ending.test(file));
}

/** The anchors of a page, as GitHub and /docs make them of its headings. */
function anchorsOf(markdown: string): Set<string> {
  const headings = markdown.matchAll(/^#{1,6} (.+)$/gm);
  return new Set(
    [...headings].map(([, text = '']) =>
      text
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} -]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

/** Why a citation leads nowhere; null when it leads somewhere. */
function fault(page: string, anchor: string | undefined): string | null {
  if (!existsSync(join(ROOT, page))) return `${page} is not there`;
  if (anchor === undefined) return null;
  const anchors = anchorsOf(readFileSync(join(ROOT, page), 'utf8'));
  return anchors.has(anchor) ? null : `${page} has no heading #${anchor}`;
}

const SOURCES = ['src', 'rest', 'jobs', 'test'].flatMap((folder) => files(folder, /\.(ts|mjs|sql)$/));
const BESIDE = ['packages', 'examples', 'deploy', '.ci'].flatMap((folder) =>
  files(folder, /\.(ts|tsx|mjs|md|sql|ya?ml|cfg|conf|service|sh)$|Caddyfile$/),
);
const TEXTS = [
  ...[
    'schema.prisma',
    'README.md',
    'CONTRIBUTING.md',
    'CHANGELOG.md',
    'src/README.md',
    'compose.yaml',
    'Dockerfile',
  ],
  ...files('docs', /\.md$/),
  ...SOURCES,
  ...BESIDE.filter((file) => !file.includes('/node_modules/') && !file.includes('/dist/')),
].map((file) => ({ file, text: readFileSync(join(ROOT, file), 'utf8') }));

describe('what the code cites', () => {
  test('is in the repository, with its heading', () => {
    const cited = TEXTS.flatMap(({ file, text }) =>
      [...text.matchAll(CITATION)].map(([, page = '', anchor]) => ({ file, why: fault(page, anchor) })),
    );
    expect(cited.length).toBeGreaterThan(40);
    expect(cited.filter(({ why }) => why !== null)).toEqual([]);
  });

  test('cites nothing that a clone does not have', () => {
    // Written in parts, so that this file is not its own finding.
    const elsewhere = new RegExp(`\\b(${['DECIS' + 'IONS', 'API' + '\\.md', 'MAPP' + 'ING'].join('|')})\\b`);
    expect(TEXTS.filter(({ text }) => elsewhere.test(text)).map(({ file }) => file)).toEqual([]);
  });

  test('and a citation that leads nowhere would be detected', () => {
    expect(fault('docs/contract.md', 'order-of-checks')).toBeNull();
    expect(fault('docs/contract.md', 'no-such-heading')).toMatch(/no heading/);
    expect(fault('docs/no-such-page', undefined)).toMatch(/not there/);
  });
});
