import { readFileSync } from 'node:fs';
import { GUIDES } from '../../../src/faces/docs/guides.ts';

/** Something that a guide shows being done, and what it says will come of it. */
export type Example = {
  readonly language: 'bash' | 'graphql' | 'sql';
  /** The bytes that a reader copies. */
  readonly source: string;
  /** The line of the file on which they begin. */
  readonly line: number;
  readonly asOperator: boolean;
  readonly expected: {
    readonly language: 'json' | 'text';
    readonly text: string;
    readonly line: number;
  } | null;
};

/** A block that is only shown. */
export type Shown = {
  readonly line: number;
  readonly language: string;
  readonly source: string;
  readonly reason: string;
};

export type Blocks = { readonly examples: readonly Example[]; readonly shown: readonly Shown[] };

type Fence = { readonly info: string; readonly text: string; readonly line: number };

const RUN = ['bash', 'graphql', 'sql'] as const;
const EXPECTED = ['json', 'text'] as const;
const NOT_RUN = /^(\S+) not run: (.*\S)$/;

function fencesOf(markdown: string): Fence[] {
  return [...markdown.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)].map(({ 1: info, 2: text, index }) => ({
    info: info!.trim(),
    text: text!,
    line: markdown.slice(0, index).split('\n').length + 1,
  }));
}

/**
 * What of a page is run and what is only shown, by the rules of docs/README.md. Throws at a block of which neither can
 * be told: such a block would be looked at by nobody.
 */
export function blocksOf(markdown: string): Blocks {
  const examples: Example[] = [];
  const shown: Shown[] = [];
  const written = markdown.replace(/<!--[\s\S]*?-->/g, (comment) => comment.replace(/[^\n]/g, ' '));
  let before: Example | null = null;
  for (const { info, text, line } of fencesOf(written)) {
    const [, shownAs, reason = ''] = NOT_RUN.exec(info) ?? [];
    if (shownAs !== undefined) {
      shown.push({ line, language: shownAs, source: text, reason });
      before = null;
      continue;
    }
    const [word = '', who] = info.split(' ');
    const run = RUN.find((language) => language === word);
    const answer = EXPECTED.find((language) => language === word);
    if (run !== undefined && (who === undefined || (run === 'graphql' && who === 'operator'))) {
      before = { language: run, source: text, line, asOperator: who === 'operator', expected: null };
      examples.push(before);
    } else if (answer !== undefined && who === undefined && before !== null) {
      examples[examples.length - 1] = { ...before, expected: { language: answer, text, line } };
      before = null;
    } else throw new Error(`line ${line}: “${info}” is neither run nor said not to be`);
  }
  return { examples, shown };
}

/** The source text of a page. */
export function textOfGuide(slug: string): string {
  return readFileSync(new URL(`${slug}.md`, GUIDES), 'utf8');
}
