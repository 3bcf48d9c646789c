import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const root = new URL('../../', import.meta.url);
const contract = readFileSync(new URL('docs/contract.md', root), 'utf8');
const TABLE = 'Tests';

/** A section's text below its heading, by the heading. */
const sections = new Map(
  contract
    .split(/^## /m)
    .slice(1)
    .map((part): [string, string] => {
      const end = part.indexOf('\n');
      return [part.slice(0, end), part.slice(end + 1)];
    }),
);

const cellsOf = (line: string): string[] =>
  line
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'));

const isRuler = (line: string | undefined): boolean => /^\|[\s|:-]+\|$/.test(line ?? '');

/** The sentences and the rows of tables of a section; the cells of a row with colons between them. */
function statementsOf(text: string): string[] {
  const lines = text.split('\n');
  const rows = lines.filter(
    (line, index) => line.startsWith('|') && !isRuler(line) && !isRuler(lines[index + 1]),
  );
  const paragraphs = lines
    .map((line) => (line.startsWith('|') ? '' : line))
    .join('\n')
    .split(/\n{2,}/)
    .map((paragraph) => paragraph.replace(/\s+/g, ' ').trim())
    .filter((paragraph) => paragraph !== '');
  const sentences = paragraphs.flatMap((paragraph) => paragraph.split(/(?<=\.) (?=[\p{Lu}\d`[{])/u));
  return [...sentences, ...rows.map((row) => cellsOf(row).join(': '))];
}

type Row = {
  readonly section: string;
  readonly sentence: string;
  readonly file: string;
  readonly title: string;
};

const table: readonly Row[] = sections
  .get(TABLE)!
  .split('\n')
  .filter((line) => line.startsWith('|') && !isRuler(line))
  .slice(1)
  .map((line) => {
    const [section = '', sentence = '', file = '', title = ''] = cellsOf(line);
    return { section, sentence, file: file.replaceAll('`', ''), title };
  });

test('each sentence of the contract has a test in its table', () => {
  const missing = [...sections].flatMap(([section, text]) =>
    section === TABLE
      ? []
      : statementsOf(text)
          .filter(
            (sentence) => !table.some((row) => row.section === section && sentence.startsWith(row.sentence)),
          )
          .map((sentence) => `${section}: ${sentence}`),
  );
  expect(missing).toEqual([]);
});

test('each line of the table begins a sentence that is there, and names a test that is there', () => {
  expect(table.length).toBeGreaterThan(100);
  const wrong = table.filter(({ section, sentence, file, title }) => {
    const path = new URL(`test/${file}.test.ts`, root);
    const isStated = statementsOf(sections.get(section) ?? '').some((statement) =>
      statement.startsWith(sentence),
    );
    // A title in quotes writes its own quotes after a backslash.
    return !isStated || !existsSync(path) || !readFileSync(path, 'utf8').replaceAll('\\', '').includes(title);
  });
  expect(wrong).toEqual([]);
});
