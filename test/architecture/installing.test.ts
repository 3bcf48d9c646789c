import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { DOWNLOADABLE } from '../../src/faces/docs/downloads.ts';
import { readGuides } from '../../src/faces/docs/guides.ts';
import { englishOf, spanishOf, translated } from '../support/guides/translated.ts';

/** No name on a public registry is ours: what a guide says to install comes from the service, or runs in the folder of the project. */

const ROOT = new URL('../../', import.meta.url);

const pages: [name: string, text: string][] = [
  ...readGuides().map(({ slug }): [string, string] => [slug, englishOf(slug)]),
  ...translated().map((slug): [string, string] => [`es/${slug}`, spanishOf(slug)]),
  ...[
    'README.md',
    'README.es.md',
    'packages/client/README.md',
    'packages/cli/README.md',
    'packages/php/README.md',
    'packages/python/README.md',
  ].map((file): [string, string] => [file, readFileSync(new URL(file, ROOT), 'utf8')]),
];

/** What installs, and what of ours it would look for in a registry. */
const FROM_REGISTRY = [
  /\b(npm (i|install|add)|npx|pnpm add|yarn add|bun add)( -\S+)* @lacre\//,
  /\bnpm (i|install|add)( -\S+)* lacre\b/,
  /\bpip install( -\S+)* lacre\b/,
];

test.each(pages)('%s installs nothing of ours from a registry', (_name, text) => {
  for (const pattern of FROM_REGISTRY) expect(text).not.toMatch(pattern);
});

test.each(pages.filter(([, text]) => /\blacre login --/.test(text)))(
  '%s logs in with a command line that it has from the service',
  (_name, text) => {
    expect(text.indexOf('/downloads/lacre-cli.tgz')).toBeGreaterThan(0);
    for (const [, block] of text.matchAll(/^```bash.*\n([\s\S]*?)^```$/gm))
      if (/\blacre login --/.test(block!)) expect(block).not.toMatch(/npx lacre /);
  },
);

const guides = pages.filter(([name]) => !name.endsWith('.md'));

test.each(guides.filter(([name, text]) => /npx lacre/.test(text) && !name.endsWith('command-line')))(
  '%s says where `npx lacre` runs',
  (_name, text) => expect(text).toContain('command-line.md'),
);

test('every package is installed by some guide or README, from the service', () => {
  for (const { file } of DOWNLOADABLE)
    expect(
      pages.filter(([, text]) => text.includes(`/downloads/${file}`)),
      file,
    ).not.toEqual([]);
});
