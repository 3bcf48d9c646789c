import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { GUIDES } from '../../src/faces/docs/guides.ts';
import { EVENT_TYPES } from '../../src/ground/journal/entry.ts';
import { KEY_SCOPES } from '../../src/subjects/accounts/entry/permissions.ts';

/** Tables of guides that state what the code has. */

const guide = (slug: string) => readFileSync(new URL(`${slug}.md`, GUIDES), 'utf8');

/** The words set as code in the first column of the table whose head this is. */
function firstColumn(slug: string, head: string): string[] {
  const text = guide(slug);
  const [table = ''] = text.slice(text.indexOf(`\n| ${head} |`) + 1).split('\n\n', 1);
  const cells = table
    .split('\n')
    .slice(2)
    .map((row) => row.split(' | ', 1)[0]!);
  return cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, word]) => word!));
}

test('the table of events has each type once', () => {
  expect(firstColumn('webhooks', 'type').sort()).toEqual([...EVENT_TYPES].sort());
});

test('the table of scopes has each scope once', () => {
  expect(firstColumn('permissions', 'scope')).toEqual([...KEY_SCOPES]);
});
