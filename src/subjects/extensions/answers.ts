import type { z } from 'zod';
import type { Answer, Extension } from './extension.ts';
import type { All } from './merged.ts';
import { payableAnswer } from './payable.ts';
import { EXTENSIONS } from './table.ts';
import { withholding } from './withholding.ts';

/** The extensions of an invoice in answers. */

/** What answers show, by the names that REST uses. */
export const EXTENSION_ANSWERS = Object.assign({}, ...EXTENSIONS.map(({ answers }) => answers)) as All<
  (typeof EXTENSIONS)[number]['answers']
>;

type Answered<Answers extends Readonly<Record<string, Answer>>> = {
  readonly [Name in keyof Answers]?: z.output<Answers[Name]['value']>;
};

function answering<Answers extends Extension['answers']>(extensions: readonly Extension[]) {
  const list = extensions.flatMap(({ columns, answers }) =>
    Object.entries(answers).map(([name, { of, from = Object.keys(columns) }]) => ({ name, of, from })),
  );
  return (invoice: object): Answered<Answers> => {
    const columns = invoice as Readonly<Record<string, unknown>>;
    const body: Record<string, unknown> = {};
    for (const { name, of, from } of list) {
      if (!hasAny(columns, from)) continue;
      const value = of(columns);
      if (value != null) body[name] = value;
    }
    return body as Answered<Answers>;
  };
}

function hasAny(invoice: Readonly<Record<string, unknown>>, columns: readonly string[]): boolean {
  for (const column of columns) if (invoice[column] != null) return true;
  return false;
}

/** The fields that an invoice has in REST because its request named them. */
export const answeredExtensions = answering<typeof EXTENSION_ANSWERS>(EXTENSIONS);

/** What is computed of an invoice: also answered of one that was only validated. */
export const COMPUTED_ANSWERS = { ...withholding.answers, ...payableAnswer.answers };

export const answeredComputed = answering<typeof COMPUTED_ANSWERS>([withholding, payableAnswer]);
