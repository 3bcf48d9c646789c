import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const ROOT = new URL('../../', import.meta.url);
const guides = ['docs/guides', 'docs/guides/es'].flatMap((folder) =>
  readdirSync(new URL(folder, ROOT))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`),
);
const TEXTS = [
  ...['docs/contract.md', 'docs/openapi.json', 'src/faces/graphql/schema.graphql', 'README.md'],
  'README.es.md',
  ...['src/faces/cli/mcp/shapes.ts', 'src/ground/errors/catalogue.ts', 'src/subjects/taxes/pricing.ts'],
  ...guides,
];

/** The list of tests at the end of the contract has titles, not statements. */
const statementsOf = (path: string) =>
  readFileSync(new URL(path, ROOT), 'utf8')
    .split(/^## Tests$/m)[0]!
    .split('\n');

/** RD 1619/2012 art. 4.1.a and 4.2: whoever sells nothing of the list must not read that 3,000 EUR hold for a ticket. */
test('whatever states the 3,000 EUR of tickets states the 400 EUR of art. 4.1 too, or is the rule that is checked', () => {
  const stating = TEXTS.flatMap((path) =>
    statementsOf(path)
      .filter((line) => /\b3[,.]?000([,.]00)? (EUR|euros)/.test(line))
      .map((line) => `${path}: ${line.trim()}`),
  );
  expect(stating.length).toBeGreaterThan(8);
  const alone = stating.filter((line) => !/\b400\b/.test(line));
  // The table of limits, one row for each, and what is refused.
  expect(alone.filter((line) => !/^docs\/guides\/(es\/)?first-invoice\.md:/.test(line))).toEqual([]);
  expect(statementsOf('docs/guides/first-invoice.md').join('\n')).toMatch(
    /\| 400 EUR \| anyone \| art\. 4\.1\.a \|\n\| 3,000 EUR \| .+ \| art\. 4\.2 \|/,
  );
  expect(statementsOf('docs/guides/es/first-invoice.md').join('\n')).toMatch(
    /\| 400 EUR \| .+ \| art\. 4\.1\.a \|\n\| 3\.000 EUR \| .+ \| art\. 4\.2 \|/,
  );
});
