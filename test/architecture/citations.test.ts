import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
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

/** What is wrong with a citation; null if the page exists and has the heading. */
function fault(page: string, anchor: string | undefined): string | null {
  if (!existsSync(join(ROOT, page))) return `${page} does not exist`;
  if (anchor === undefined) return null;
  // A translated guide has the anchors of the English one.
  const named = page.replace(/^docs\/guides\/es\//, 'docs/guides/');
  const anchors = anchorsOf(readFileSync(join(ROOT, named), 'utf8'));
  return anchors.has(anchor) ? null : `${page} has no heading #${anchor}`;
}

/** A link or picture of Markdown to a file: no address, no heading of the same page, no path of the running service. */
const LINK = /\]\((?!\w+:|#|\/)([^)#\s]+)(?:#([\w-]+))?\)/g;

/** What is wrong with the links of a page; a link is relative to the folder of its page. */
function faultyLinks(page: string, markdown: string): string[] {
  const prose = markdown.replaceAll(/```[\s\S]*?```|`[^`\n]*`/g, '');
  return [...prose.matchAll(LINK)].flatMap(
    ([, target = '', anchor]) => fault(join(dirname(page), target), anchor) ?? [],
  );
}

/** A rule that is cited by a number: the rules of the contract have none, so it is one of another document. */
const NUMBERED = /\brules? \d/;

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
    'compose.yaml',
    'Dockerfile',
    'test/README.md',
  ],
  ...['docs', 'src', 'rest'].flatMap((folder) => files(folder, /\.md$/)),
  ...SOURCES,
  ...BESIDE.filter((file) => !file.includes('/node_modules/') && !file.includes('/dist/')),
].map((file) => ({ file, text: readFileSync(join(ROOT, file), 'utf8') }));

describe('what the code cites', () => {
  test('is in the repository, with its heading', () => {
    const cited = TEXTS.flatMap(({ file, text }) =>
      [...text.matchAll(CITATION)].map(([, page = '', anchor]) => ({ file, reason: fault(page, anchor) })),
    );
    expect(cited.length).toBeGreaterThan(40);
    expect(cited.filter(({ reason }) => reason !== null)).toEqual([]);
  });

  test('cites nothing that a clone does not have', () => {
    // Written in parts, so that this file is not its own finding.
    const elsewhere = new RegExp(`\\b(${['DECIS' + 'IONS', 'API' + '\\.md', 'MAPP' + 'ING'].join('|')})\\b`);
    expect(TEXTS.filter(({ text }) => elsewhere.test(text)).map(({ file }) => file)).toEqual([]);
  });

  test('cites no rule by a number, because the contract numbers none', () => {
    expect(TEXTS.filter(({ text }) => NUMBERED.test(text)).map(({ file }) => file)).toEqual([]);
    expect(`(rectificativas, rule ${4})`).toMatch(NUMBERED);
  });

  test('and a citation that leads nowhere would be detected', () => {
    expect(fault('docs/contract.md', 'order-of-checks')).toBeNull();
    expect(fault('docs/contract.md', 'no-such-heading')).toMatch(/no heading/);
    expect(fault('docs/no-such-page', undefined)).toMatch(/does not exist/);
  });
});

describe('what a page links to', () => {
  const pages = TEXTS.filter(({ file }) => file.endsWith('.md'));

  test.each(pages)('exists, with its heading: $file', ({ file, text }) => {
    expect(faultyLinks(file, text)).toEqual([]);
  });

  test('and a link that leads nowhere would be detected', () => {
    const links =
      '[a](contract.md#keys) ![b](no.png) [c](contract.md#no) [d](/docs/x) [e](https://a.b) `[f](g)`';
    expect(faultyLinks('docs/README.md', links)).toEqual([
      ...['docs/no.png does not exist', 'docs/contract.md has no heading #no'],
    ]);
  });
});
