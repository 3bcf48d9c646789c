import { globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');

/** Paths and names in backticks: with a folder of the repository in front, or the ending of a file that we write. */
const NAMED =
  /`((?:(?:src|rest|jobs|test|docs)\/[\w.*/-]*|[\w.*/-]+\.(?:ts|mjs|sql|md|prisma)|[\w-]+(?:\/[\w-]+)*\/))`/g;

const exists = (path: string) => globSync(path, { cwd: ROOT }).length > 0;

/**
 * What of the paths that a page names is not there. A path is read from the top of the repository or from the page's own
 * folder; a name also from the folders that the same section has named before.
 */
function missing(page: string, markdown: string): string[] {
  return markdown
    .replaceAll(/```[\s\S]*?```/g, '')
    .split(/^#+ /m)
    .flatMap((section) => {
      const folders = ['.', dirname(page)];
      return [...section.matchAll(NAMED)].flatMap(([, named = '']) => {
        const found = folders.map((folder) => join(folder, named)).find(exists);
        if (found === undefined) return [named];
        folders.push(named.endsWith('/') ? found : dirname(found));
        return [];
      });
    });
}

const PAGES = [
  ...['README.md', 'CONTRIBUTING.md'],
  ...globSync(['docs/**/*.md', 'src/**/*.md', 'rest/*.md', 'packages/reader/*.md', 'test/**/*.md'], {
    cwd: ROOT,
    exclude: ['**/node_modules/**'],
  }),
];

describe('every path that a page names', () => {
  test.each(PAGES)('in %s is there', (page) => {
    expect(missing(page, readFileSync(join(ROOT, page), 'utf8'))).toEqual([]);
  });

  test('and one that is not would be detected', () => {
    expect(missing('src/README.md', '`ground/lib/clock.ts` and `limits.ts`, `ground/db/`')).toEqual([]);
    expect(missing('src/README.md', '`graphql/`, `lib/clock.ts`, `ground/lib/no-such.ts`')).toEqual([
      ...['graphql/', 'lib/clock.ts', 'ground/lib/no-such.ts'],
    ]);
    expect(missing('src/README.md', '`ground/lib/clock.ts`\n## Next\n`limits.ts`')).toEqual(['limits.ts']);
  });
});
