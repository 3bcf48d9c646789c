import type {
  components,
  Invoice,
  InvoiceRequest,
  LacreClient,
  LacreError,
  LacreEvent,
  operations,
  Unlisted,
} from '@lacre/client';
import { describe, expectTypeOf, test } from 'vitest';

/** These hold when they compile (`npm run check`); nothing of them happens at run time. */

type IsAny<T> = 0 extends 1 & T ? true : false;
type IsUnknown<T> = IsAny<T> extends true ? false : unknown extends T ? true : false;

/** Whether somewhere within a type stands `any` or `unknown`. */
type IsVague<T> =
  IsAny<T> extends true
    ? true
    : IsUnknown<T> extends true
      ? true
      : T extends string | number | boolean | null | undefined
        ? never
        : T extends readonly (infer Item)[]
          ? IsVague<Item>
          : { [Name in keyof T]-?: IsVague<T[Name]> }[keyof T];

/** What the operations answer when they do what they were asked. */
type Answers = {
  [Name in keyof operations]: {
    [Status in keyof operations[Name]['responses']]: operations[Name]['responses'][Status] extends {
      content: { 'application/json': infer Body };
    }
      ? Body
      : never;
  }[keyof operations[Name]['responses']];
};

describe('answers', () => {
  test('list all of their fields', () => {
    expectTypeOf<IsVague<{ a: { b: unknown } }>>().toEqualTypeOf<true>();
    // biome-ignore lint/suspicious/noExplicitAny: this is what is looked for
    expectTypeOf<IsVague<{ a: readonly { b: any }[] }>>().toEqualTypeOf<true>();
    expectTypeOf<IsVague<Answers>>().toEqualTypeOf<never>();
    expectTypeOf<Awaited<ReturnType<LacreClient['invoices']['create']>>>().toEqualTypeOf<Invoice>();
    expectTypeOf<IsVague<LacreEvent>>().toEqualTypeOf<never>();
  });

  test('have enumerations that may grow', () => {
    const statusText = (status: Invoice['status']): string => {
      switch (status) {
        case 'issued':
          expectTypeOf(status).toEqualTypeOf<'issued'>();
          return 'in force';
        case 'voided':
          return 'cancelled';
        default:
          expectTypeOf(status).toEqualTypeOf<Unlisted>();
          return status;
      }
    };
    expectTypeOf(statusText).returns.toBeString();
  });
});

test('requests are typed with their fields and values', () => {
  const line = {
    description: 'x',
    quantity: 1,
    unit_amount: 1,
    tax_items: [{ type: 'vat', rate: 21 }],
  } as const;
  expectTypeOf({ type: 'simplified', line_items: [line] } as const).toExtend<Pick<InvoiceRequest, 'type'>>();
  // @ts-expect-error no such type of invoice
  const type: InvoiceRequest['type'] = 'ticket';
  // @ts-expect-error no date is taken
  const dated: InvoiceRequest = { type: 'simplified', line_items: [], invoice_date: '2026-01-01' };
  expectTypeOf([type, dated]).toBeArray();
});

test('the code of an error is one of those that there are', () => {
  const caught = (error: LacreError) => {
    switch (error.code) {
      case 'external_id_already_used':
        expectTypeOf(error.code).toEqualTypeOf<'external_id_already_used'>();
        return;
      case 'no_answer':
        expectTypeOf(error.code).toEqualTypeOf<'no_answer'>();
        return;
      // @ts-expect-error misspelt
      case 'external_id_alredy_used':
        return;
    }
  };
  expectTypeOf(caught).parameter(0).toEqualTypeOf<LacreError>();
});

test('the type of an event names its object', () => {
  const handle = (event: LacreEvent) => {
    switch (event.type) {
      case 'invoice.rejected':
        expectTypeOf(event).toEqualTypeOf<components['schemas']['InvoiceRejectedEvent']>();
        expectTypeOf(event.data.object.pdf_url).toEqualTypeOf<null>();
        expectTypeOf(event.data.object.total).toBeNumber();
        return;
      case 'number_series.created':
        expectTypeOf(event.data.object.prefix).toBeString();
        return;
      case 'webhook_endpoint.disabled':
        expectTypeOf(event.data.object.url).toBeString();
        return;
    }
  };
  expectTypeOf(handle).returns.toBeVoid();
  type Listed = Exclude<LacreEvent['type'], Unlisted>;
  expectTypeOf<Listed>().toEqualTypeOf<components['schemas']['EventTypeInput']>();
});

test('what is iterated and given is typed', () => {
  type Lists = LacreClient['invoices']['list'];
  expectTypeOf<ReturnType<Lists>>().toExtend<AsyncIterable<Invoice>>();
  expectTypeOf<Parameters<Lists>[0]>().toExtend<{ readonly status?: readonly string[] } | undefined>();
});
