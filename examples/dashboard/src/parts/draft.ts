import type { VariablesOf } from 'gql.tada';
import type { IssueInvoice } from '../documents.ts';
import { cents } from '../format.ts';

type Issue = VariablesOf<typeof IssueInvoice>['input'];
export type Rectifies = NonNullable<Issue['rectifies']>;

/** What somebody has typed so far: texts, as they stand in the form. */
export type Line = {
  /** Tells the rows of the form apart. */
  readonly key: number;
  readonly description: string;
  readonly quantity: string;
  readonly price: string;
  readonly rate: string;
};

export type Draft = {
  readonly type: 'complete' | 'simplified';
  readonly name: string;
  readonly taxId: string;
  readonly line1: string;
  readonly postalCode: string;
  readonly city: string;
  readonly lines: readonly Line[];
};

let keys = 0;
export function aLine(given: Partial<Line> = {}): Line {
  keys += 1;
  return { key: keys, description: '', quantity: '1', price: '', rate: '21', ...given };
}

export const emptyDraft = (): Draft => ({
  ...{ type: 'complete', name: '', taxId: '', line1: '', postalCode: '', city: '' },
  lines: [aLine()],
});

/** The request that a draft stands for. What is no number is sent as null: the service says what is wrong with it, and where. */
export function requestOf(draft: Draft, rectifies: Rectifies | null): Issue {
  const recipient = {
    name: draft.name,
    taxId: draft.taxId,
    taxIdType: 'es_nif' as const,
    address: { line1: draft.line1, postalCode: draft.postalCode, city: draft.city, country: 'ES' },
  };
  return {
    type: draft.type,
    // A correction is made out to whom the original was.
    ...(draft.type === 'complete' && rectifies === null ? { recipient } : {}),
    ...(rectifies === null ? {} : { rectifies }),
    lineItems: draft.lines.map(({ description, quantity, price, rate }) => ({
      description,
      quantity: Number.parseInt(quantity, 10) || 0,
      unitAmount: cents(price),
      taxItems: [{ type: 'vat', rate: Number(rate) }],
    })),
  };
}

/** Whether there is enough of it to be asked what it would come to. */
export function isComplete({ lines }: Draft): boolean {
  return lines.every(({ description, price }) => description.trim() !== '' && cents(price) !== null);
}
