import { z } from 'zod';
import { snakeText } from '../src/ground/lib/case.ts';
import { COMPUTED_ANSWERS, EXTENSION_ANSWERS } from '../src/subjects/extensions/answers.ts';
import type { Answer } from '../src/subjects/extensions/extension.ts';
import { PAYMENT_STATUSES } from '../src/subjects/invoices/types.ts';
import { cents, oneOf } from './schema-parts.ts';

/** The optional fields of an invoice, as REST shows it: absent unless its request named them. */

const absent = <Value extends z.ZodType>({ value, description }: Answer & { readonly value: Value }) =>
  value.optional().describe(snakeText(description));

const text = z.string();

/** As returned by `validate`. */
export const computed = {
  withholding: absent(COMPUTED_ANSWERS.withholding),
  amount_payable: absent(COMPUTED_ANSWERS.amount_payable),
};

type Answers = typeof EXTENSION_ANSWERS;

/** As returned for an invoice. */
export const extensions = {
  ...(Object.fromEntries(
    Object.entries<Answer>(EXTENSION_ANSWERS).map(([name, answer]) => [name, absent(answer)]),
  ) as { [Name in keyof Answers]: z.ZodOptional<Answers[Name]['value']> }),
  metadata: z.record(text, text).optional().describe('Your metadata as it is now; absent if there is none.'),
  payment_status: oneOf(PAYMENT_STATUSES).optional(),
  amount_paid: cents.optional(),
  amount_due: cents.optional(),
};
