import { afterAll, describe, expect, test } from 'vitest';
import { differences, isText } from '../support/guides/answers.ts';
import { blocksOf, type Example } from '../support/guides/blocks.ts';
import { openSession } from '../support/guides/session.ts';

const session = openSession({ variables: { GIVEN: 'a b' }, query: async () => [{ one: 1 }] });
afterAll(() => session.close());

const FENCE = '```';
const fence = (info: string, ...lines: string[]) => [`${FENCE}${info}`, ...lines, FENCE, ''].join('\n');
const examplesOf = (...fences: string[]) => blocksOf(fences.join('\n')).examples;

async function go(...fences: string[]): Promise<void> {
  for (const example of examplesOf(...fences)) await session.run(example);
}

describe('a correct page', () => {
  test('passes, each block in the shell of the previous one', () =>
    go(
      fence('bash', 'WORDS="$GIVEN c"', 'say() { echo "{ \\"words\\": \\"$1\\", \\"n\\": 3 }"; }'),
      fence('bash', 'say "$WORDS"'),
      fence('json', '{ "words": "a … c", "n": 3 }'),
      fence('bash', 'printf "one\\ntwo\\nthree 3\\n"'),
      fence('text', 'one', '…', 'three …'),
      fence('sql', 'select 1 as one'),
      fence('json', '[{ "one": 1 }]'),
    ));
});

describe('a wrong page', () => {
  test.each([
    ['a command that fails', [fence('bash', 'false', 'echo on')], /line 2: ended with 1/],
    ['one that fails within a pipe', [fence('bash', 'false | cat')], /ended with 1/],
    ['a variable that nothing has set', [fence('bash', 'echo "$NOBODY"')], /NOBODY: unbound/],
    ['a mark that a prompt takes amiss', [fence('bash', 'echo "a!b"')], /history expansion failed/],
    ['another value', [fence('bash', 'echo \'{"n": 2}\''), fence('json', '{ "n": 1 }')], /\$\.n: 2, not 1/],
    [
      'a member that is not shown',
      [fence('bash', 'echo \'{"n": 2}\''), fence('json', '{}')],
      /\$\.n: not shown/,
    ],
    [
      'a member that is not there',
      [fence('bash', 'echo {}'), fence('json', '{ "n": "…" }')],
      /\$\.n: missing/,
    ],
    ['an answer that is no JSON', [fence('bash', 'echo nothing'), fence('json', '{}')], /is not JSON/],
    ['an example that is no JSON', [fence('bash', 'echo {}'), fence('json', '{,}')], /line 6 is not JSON/],
    ['another text', [fence('bash', 'echo on'), fence('text', 'off')], /something else was printed/],
    ['other rows', [fence('sql', 'select 1 as one'), fence('json', '[]')], /1 items, not 0/],
  ])('is found out: %s', async (_what, fences, complaint) => {
    await expect(go(...fences)).rejects.toThrow(complaint);
  });

  test.each([
    ['an answer to nothing', [fence('json', '{}')]],
    ['an answer to what was not run', [fence('bash not run: no time', 'x'), fence('json', '{}')]],
    ['a language that nobody runs', [fence('python', 'x')]],
    ['a block without any', [fence('', 'x')]],
    ['an excuse without a reason', [fence('bash not run:', 'x')]],
  ])('is not even begun: %s', (_what, fences) => {
    expect(() => examplesOf(...fences)).toThrow(/is neither run nor said not to be/);
  });
});

test('blocks are identified by their lines, those that are not run with their reason', () => {
  const page = ['# Title', '', fence('bash', 'echo 1'), fence('bash not run: it needs a certificate', 'x')];
  const { examples, shown } = blocksOf(page.join('\n'));
  expect(examples.map(({ line, source }: Example) => [line, source])).toEqual([[4, 'echo 1\n']]);
  expect(shown).toEqual([{ line: 8, language: 'bash', source: 'x\n', reason: 'it needs a certificate' }]);
});

test.each([
  [{ a: 1, b: 2 }, { a: 1, '…': '…' }, 0],
  [{ b: 2 }, { a: 1, '…': '…' }, 1],
  [[1, 2, 3], [1, '…'], 0],
  [[2, 1], [1, '…'], 1],
  [[], ['…'], 0],
  [null, '…', 0],
  ['inv_12', 'inv_…', 0],
  ['ns_12', 'inv_…', 1],
  ['a.b', 'axb', 1],
  [1, '1', 1],
  [null, {}, 1],
])('%j beside %j has %d differences', (actual, expected, count) => {
  expect(differences(actual as never, expected as never)).toHaveLength(count);
});

test.each([
  ['a\nb\nc\n', '…\nc', true],
  ['a\nb\nc\n', 'a\n…', true],
  ['a\n', 'a\n…\nb', false],
  ['took 3 s', 'took … s', true],
  ['took 3 s\nmore', 'took … s', false],
])('%j is told to be %j: %s', (actual, expected, so) => {
  expect(isText(actual, expected)).toBe(so);
});
