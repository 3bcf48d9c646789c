import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestService, testService } from '../support/http/http-service.ts';
import { operationsOf, PROTOCOLS } from '../support/http/protocols.ts';
import { aCompleteInvoice, aLine } from '../support/invoices/invoices.ts';

let service: TestService;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());

const { recipient: RECIPIENT } = aCompleteInvoice();
const WITH: Record<string, (text: string) => Record<string, unknown>> = {
  'line_items[0].description': (description) => ({ line_items: [aLine({ description })] }),
  'line_items[0].sku': (sku) => ({ line_items: [aLine({ sku })] }),
  'recipient.name': (name) => ({ recipient: { ...RECIPIENT, name } }),
  'recipient.company_name': (company_name) => ({ recipient: { ...RECIPIENT, company_name } }),
  'recipient.address.line1': (line1) => ({
    recipient: { ...RECIPIENT, address: { ...RECIPIENT.address, line1 } },
  }),
  'recipient.address.city': (city) => ({
    recipient: { ...RECIPIENT, address: { ...RECIPIENT.address, city } },
  }),
  external_id: (external_id) => ({ external_id }),
  notes: (notes) => ({ notes }),
};

const READ = `query ($id: ID!) { answer: invoice(id: $id) { externalId notes
  recipient { name companyName address { line1 city } } lineItems { description sku } records { xml } } }`;

/** Where the text comes out again. */
// biome-ignore lint/suspicious/noExplicitAny: a GraphQL answer
const OUT: Record<string, (invoice: any) => unknown> = {
  'line_items[0].description': (invoice) => invoice.lineItems[0].description,
  'line_items[0].sku': (invoice) => invoice.lineItems[0].sku,
  'recipient.name': (invoice) => invoice.recipient.name,
  'recipient.company_name': (invoice) => invoice.recipient.companyName,
  'recipient.address.line1': (invoice) => invoice.recipient.address.line1,
  'recipient.address.city': (invoice) => invoice.recipient.address.city,
  external_id: (invoice) => invoice.externalId,
  notes: (invoice) => invoice.notes,
};

/** What is sent, and what of it is stored where it is printed; a key is stored as it is. */
const KEPT: readonly (readonly [what: string, text: string, printed?: string])[] = [
  ['accents in one character', 'Peña Güell'],
  ['accents of combining marks', 'Pen\u0303a Gu\u0308ell', 'Peña Güell'],
  ['a mark upon nothing', '\u0301a'],
  ['many marks upon one letter', `a${'\u0301'.repeat(60)}`, `á${'\u0301'.repeat(59)}`],
  ['right to left', 'שלום עולם مرحبا'],
  ['both directions with marks of direction', 'abc \u202eשלום\u202c \u200fx\u200e', 'abc שלום x'],
  ['letters outside the first plane', '\u{10780}野家'],
  ['joiners and spaces of no width', 'a\u200db\u200bc\ufeffd', 'abcd'],
  ['joiners of Persian', 'می\u200cخواهم'],
  ['emoji of several characters', '👩‍👩‍👧‍👦 👍🏽 🇪🇸 1️⃣'],
  ['what XML, SQL and HTML would read', `<b>&amp;'"]]>--;drop table x</b>`],
  ['backslashes and braces', '\\n\\u0000 $(x) {{x}} %s %00'],
];

/** What can be stored, and no font of the documents has. */
const UNDRAWABLE: readonly (readonly [what: string, text: string])[] = [
  ['letters of mathematics', '𝔏𝔞𝔠𝔯𝔢'],
  ['the replacement character', 'a\ufffdb'],
  ['private characters', '\ue000\u{10fffd}'],
];

const UNPRINTABLE: readonly (readonly [what: string, text: string])[] = [
  ['NUL', 'a\u0000b'],
  ['a bell', 'a\u0007b'],
  ['an escape', 'a\u001bb'],
  ['delete', 'a\u007fb'],
  ['a control of the second set', 'a\u0085b'],
  ['the first half of a pair', 'a\ud800b'],
  ['the second half of a pair', 'a\udc00b'],
  ['halves in the wrong order', '\udc00\ud800'],
];

describe.each(Object.keys(WITH))('%s', (field) => {
  // The outer blanks of a recipient's texts mean nothing and are not kept; none of these has any.
  const kept = KEPT.map(([what, text, printed = text]) => [what, text, printed] as const);
  test.each(kept)('keeps %s', async (_what, text, printed) => {
    const { status, body } = await service.call('POST', '/v1/invoices', {
      body: aCompleteInvoice(WITH[field]!(text)),
    });
    expect({ status, code: body.code }).toEqual({ status: 201, code: undefined });
    const { body: read } = await service.graphql(READ, { id: body.id });
    expect(OUT[field]!(read.data.answer)).toBe(field === 'external_id' ? text : printed);
  });

  test.each(UNDRAWABLE)('keeps %s only where it is not printed', async (_what, text) => {
    const reply = await operationsOf(service, 'REST').issue(aCompleteInvoice(WITH[field]!(text)));
    const isPrinted = field !== 'external_id';
    expect(reply).toMatchObject(
      isPrinted ? { status: 400, faults: [`${field} unprintable_characters`] } : { status: 201 },
    );
  });

  test.each(UNPRINTABLE)('refuses %s over both protocols', async (_what, text) => {
    for (const protocol of PROTOCOLS) {
      const reply = await operationsOf(service, protocol).issue(aCompleteInvoice(WITH[field]!(text)));
      expect(reply).toMatchObject({ status: 400, faults: [`${field} invalid_characters`] });
    }
  });
});

test.each([
  ['line_items[0].description', 500],
  ['external_id', 255],
  ['notes', 2_000],
])('%s: counts characters, not surrogates', async (field, limit) => {
  const issue = (text: string) => operationsOf(service, 'REST').issue(aCompleteInvoice(WITH[field]!(text)));
  expect(await issue('\u{10780}'.repeat(limit))).toMatchObject({ status: 201 });
  expect(await issue('\u{10780}'.repeat(limit + 1))).toMatchObject({ faults: [`${field} too_big`] });
});

test.each(['a\nb', 'a\r\nb', 'a\tb'])('only notes hold several lines: %j', async (lineBreak) => {
  for (const [field, parts] of Object.entries(WITH)) {
    const { status, body } = await service.call('POST', '/v1/invoices', {
      body: aCompleteInvoice(parts(lineBreak)),
    });
    expect({ field, status }).toEqual({ field, status: field === 'external_id' ? 400 : 201 });
    if (field === 'external_id') continue;
    const { body: read } = await service.graphql(READ, { id: body.id });
    expect(OUT[field]!(read.data.answer)).toBe(field === 'notes' ? lineBreak : 'a b');
  }
});

test('an external_id is stored unchanged, including spaces', async () => {
  for (const external_id of [' ', ' a ', 'a', 'A', 'á', 'a\u0301', '\u2028']) {
    const { status, body } = await service.call('POST', '/v1/invoices', {
      body: aCompleteInvoice({ external_id }),
    });
    expect({ status, external_id: body.external_id }).toEqual({ status: 201, external_id });
  }
});

test('every text of the record is XML that the agency can read', async () => {
  const description = `${KEPT.map(([, text]) => text).join(' ')}`.slice(0, 480);
  const { body } = await service.call('POST', '/v1/invoices', {
    body: aCompleteInvoice({ line_items: [aLine({ description })] }),
  });
  const { body: read } = await service.graphql(READ, { id: body.id });
  const { xml } = read.data.answer.records[0];
  expect(xml).toContain('&lt;b&gt;&amp;amp;');
  expect(xml).not.toMatch(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u);
});
