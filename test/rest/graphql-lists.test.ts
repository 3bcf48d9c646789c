import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { GRAPHQL_LIMITS } from '../../src/faces/graphql/limits.ts';
import { madridDay } from '../../src/ground/lib/calendar.ts';
import { statementsOf } from '../support/database/statements.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { differences, operatorOf, substitution } from '../support/invoices/corrections.ts';
import { aCompleteInvoice, aLine, aSimplifiedInvoice } from '../support/invoices/invoices.ts';

/** Asking for invoices over GraphQL: filters, orders, pages from both ends, counts, and what lies beside an invoice. */

let service: TestService;
/** The invoices by what they are, in the order of issue. */
const ids: Record<string, string> = {};
beforeAll(async () => {
  service = await testService();
  const operator = await operatorOf(service);
  const issue = async (name: string, body: object) => {
    const { status, body: invoice } = await service.call('POST', '/v1/invoices', { body });
    if (status !== 201) throw new Error(`${name}: ${JSON.stringify(invoice)}`);
    ids[name] = invoice.id;
    return invoice;
  };
  const ticket = (cents: number, description = 'Café') =>
    aSimplifiedInvoice({ line_items: [aLine({ description, unit_amount: cents })] });
  await issue('cheap', ticket(100));
  await issue('menu', ticket(1_200, 'MENÚ del día'));
  const party = aCompleteInvoice();
  await issue('garcia', {
    ...party,
    ...{ external_id: 'Pedido-Á', due_date: '2031-03-01' },
    recipient: { ...party.recipient, name: 'Begoña García Ñíguez' },
  });
  await issue('alvarez', {
    ...party,
    due_date: '2031-02-01',
    recipient: { ...party.recipient, name: 'ÁLVAREZ E HIJOS, S.L.' },
  });
  const corrected = await issue('corrected', ticket(2_000));
  await issue('correction', differences(corrected, -500));
  const replaced = await issue('replaced', ticket(3_000));
  await issue('replacement', substitution(replaced, 2_500));
  const mistaken = await issue('mistaken', ticket(4_000));
  await operator.voidInvoice(mistaken.id);
});
afterAll(() => service.close());

const nameOf = (id: string): string => Object.entries(ids).find(([, own]) => own === id)?.[0] ?? id;

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of many shapes
type Variables = Record<string, any>;

async function list(variables: Variables, fields = 'totalCount totalCountIsExact') {
  const { body } = await service.graphql(
    `query ($filter: InvoiceFilter, $orderBy: InvoiceOrder, $first: Int, $last: Int, $after: String, $before: String) {
      invoices(filter: $filter, orderBy: $orderBy, first: $first, last: $last, after: $after, before: $before) {
        edges { cursor node { id } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } ${fields} } }`,
    variables,
  );
  return { ...body.data?.invoices, error: body.errors?.[0] };
}

/** The names of the invoices that are found, which their count must agree with. */
const found = async (filter: Variables, orderBy?: Variables) => {
  const { edges, totalCount, error } = await list({ filter, orderBy });
  if (error) throw new Error(JSON.stringify(error));
  expect(totalCount).toBe(edges.length);
  return edges.map(({ node }: { node: { id: string } }) => nameOf(node.id));
};

describe('a filter', () => {
  test.each([
    [{ status: ['voided'] }, ['mistaken']],
    [{ type: ['complete'] }, ['alvarez', 'garcia']],
    [{ kind: ['rectifying_differences'] }, ['correction']],
    [{ kind: ['rectifying_differences', 'rectifying_substitution'] }, ['replacement', 'correction']],
    [{ registrationStatus: ['rejected', 'skipped'] }, []],
    [{ recipientName: 'garcia' }, ['garcia']],
    [{ recipientName: 'NIGUEZ bego' }, ['garcia']],
    [{ recipientName: 'alvarez hijos' }, ['alvarez']],
    [{ recipientName: 'arcia' }, []],
    [{ externalId: 'Pedido-Á' }, ['garcia']],
    [{ text: 'menu' }, ['menu']],
    [{ text: 'Menú' }, ['menu']],
    [{ text: 'MENÚ DEL DIA' }, ['menu']],
    [{ text: 'me\u0301nu\u0301' }, ['menu']],
    [{ text: 'pedido-a' }, ['garcia']],
    [{ text: 'día menú' }, ['menu']],
    [{ text: 'hijos servicio alvarez' }, ['alvarez']],
    [{ text: 'garcia menu' }, []],
    [{ text: '1234.567' }, ['alvarez', 'garcia']],
    [{ text: '1234 garcia' }, ['garcia']],
    [{ text: '2345678' }, []],
    [{ text: `${'a '.repeat(60)}hijos` }, []],
    [{ recipientTaxId: '12.34' }, ['alvarez', 'garcia']],
    [{ recipientTaxId: '12345678' }, ['alvarez', 'garcia']],
    [{ recipientTaxId: '2' }, []],
    [{ recipientTaxId: '12', recipientName: 'garcia' }, ['garcia']],
    [{ dueOn: { from: '2031-02-01', to: '2031-02-28' } }, ['alvarez']],
    [{ dueOn: { from: '2031-02-02' } }, ['garcia']],
    [{ dueOn: { to: '2031-02-28' } }, ['alvarez']],
    [{ dueOn: { to: '9999-12-31' } }, ['alvarez', 'garcia']],
    [{ dueOn: { to: '2031-12-31' }, paymentStatus: ['unpaid'] }, ['alvarez', 'garcia']],
    [{ dueOn: { from: '2031-02-01' }, status: ['voided'] }, []],
    [{ amountDue: { max: 300 } }, ['cheap']],
    [{ amountDue: { min: -10_000 }, status: ['voided'] }, []],
    [{ total: { min: 2_400, max: 2_600 } }, []],
    [{ status: ['issued'], total: { max: 0 } }, ['correction']],
    [{ inForce: false }, ['mistaken', 'replaced']],
    [{ inForce: false, status: ['issued'] }, ['replaced']],
    [{ inForce: false, status: ['issued', 'voided'], kind: ['original'] }, ['mistaken', 'replaced']],
    [{ inForce: false, type: ['simplified', 'complete'] }, ['mistaken', 'replaced']],
    [{ inForce: false, kind: ['rectifying_substitution', 'exchange'] }, []],
    [{ status: ['voided'], type: ['simplified'], total: { min: 1 } }, ['mistaken']],
    [{ status: ['voided'], type: ['complete'] }, []],
    [{ status: ['voided'], kind: ['original'] }, ['mistaken']],
    [{ status: ['voided'], kind: ['rectifying_differences'] }, []],
    [{ status: ['voided'], inForce: true }, []],
    [{ status: ['voided'], issuedOn: { from: '2000-01-01', to: '9999-12-31' } }, ['mistaken']],
    [{ status: ['voided'], issuedOn: { from: '9999-12-31' } }, []],
    [{ inForce: false, type: ['simplified'], issuedOn: { from: '2000-01-01' } }, ['mistaken', 'replaced']],
    [{ inForce: false, issuedOn: { to: '2000-01-01' } }, []],
    [{ registrationStatus: ['rejected'], issuedOn: { to: '2000-01-01' } }, []],
    [{ changedSince: '2100-01-01T00:00:00Z' }, []],
    [{ issuedOn: { to: '2000-01-01' } }, []],
  ])('%j means %j', async (filter, expected) => {
    expect(await found(filter)).toEqual(expected);
  });

  test('on series, number, tax id and days means what has them', async () => {
    const one = await service.call('GET', `/v1/invoices/${ids['garcia']}`);
    const { number, number_series_id: seriesId, recipient_tax_id: taxId, invoice_date: date } = one.body;
    expect(await found({ number: number.toLowerCase() })).toEqual(['garcia']);
    expect(await found({ recipientTaxId: ` ${taxId.toLowerCase()} ` })).toEqual(['alvarez', 'garcia']);
    expect(await found({ seriesId, kind: ['original'] })).toHaveLength(7);
    expect(await found({ seriesId: 'ns_none' })).toEqual([]);
    const day = madridDay(new Date(date));
    expect(await found({ issuedOn: { from: '2000-01-01' }, text: 'menu' })).toEqual(['menu']);
    expect(await found({ issuedOn: { from: day, to: '2100-01-01' }, number })).toEqual(['garcia']);
    expect(await found({ inForce: true })).toHaveLength(7);
    expect(await found({ changedSince: date, status: ['voided'] })).toEqual(['mistaken']);
  });

  test.each<[Variables, string]>([
    [{ text: 'x'.repeat(10_000) }, 'filter.text'],
    [{ text: '\u0301\u0301 \u0308' }, 'filter.text'],
    [{ recipientName: '' }, 'filter.recipientName'],
    [{ status: Array(1_000).fill('issued') }, 'filter.status'],
    [{ status: [] }, 'filter.status'],
    [{ type: Array(1_000).fill('complete') }, 'filter.type'],
    [{ kind: Array(1_000).fill('original') }, 'filter.kind'],
    [{ registrationStatus: Array(1_000).fill('pending') }, 'filter.registrationStatus'],
    [{ paymentStatus: Array(1_000).fill('paid') }, 'filter.paymentStatus'],
    [{ metadata: Array(1_000).fill({ key: 'shop', value: 'a' }) }, 'filter.metadata'],
    ...['externalIds', 'recipientTaxIds', 'seriesIds'].map((name): [Variables, string] => [
      { [name]: Array.from({ length: 1_000 }, (_, index) => `x${index}`) },
      `filter.${name}`,
    ]),
    [{ issuedOn: { from: '2026-02-30' } }, 'filter.issuedOn.from'],
    [{ dueOn: { to: '2026-02-30' } }, 'filter.dueOn.to'],
    [{ recipientTaxId: ' .- ' }, 'filter.recipientTaxId'],
  ])('that makes no sense is refused by its field: %#', async (filter, field) => {
    const refused = { code: 'invalid_request', errors: [{ field }] };
    const { error, edges } = await list({ filter });
    expect(edges).toBeUndefined();
    expect(error.extensions).toMatchObject(refused);
    const { body } = await service.graphql(
      'query ($filter: InvoiceFilter) { invoiceTotals(filter: $filter) { count } }',
      { filter },
    );
    expect(body.errors[0].extensions).toMatchObject(refused);
  });
});

test('the order of what is due lists what is to be paid alone, in pages from both ends', async () => {
  const query = `query ($after: String, $direction: OrderDirection!) {
    invoices(first: 3, after: $after, orderBy: { field: AMOUNT_DUE, direction: $direction }) {
      totalCount pageInfo { endCursor hasNextPage } edges { node { id amountDue } } } }`;
  for (const [direction, sign] of [
    ['ASC', 1],
    ['DESC', -1],
  ] as const) {
    const seen: { id: string; amountDue: number }[] = [];
    let after: string | null = null;
    do {
      const { body } = await service.graphql(query, { after, direction });
      const { edges, pageInfo, totalCount } = body.data.invoices;
      expect(totalCount).toBe(6);
      seen.push(...edges.map(({ node }: { node: (typeof seen)[0] }) => node));
      after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
    } while (after !== null);
    const names = seen.map(({ id }) => nameOf(id)).sort();
    expect(names).toEqual(['alvarez', 'cheap', 'corrected', 'garcia', 'menu', 'replacement']);
    const amounts = seen.map(({ amountDue }) => amountDue);
    expect(amounts).toEqual(amounts.toSorted((a, b) => sign * (a - b)));
  }
  const { body } = await service.graphql(query, { after: ids['cheap'], direction: 'ASC' });
  expect(body.errors[0].extensions).toMatchObject({ code: 'invalid_request', errors: [{ field: 'after' }] });
});

test('an order compares numbers by value, totals, and names without case and accents', async () => {
  const by = (field: string, direction: string) =>
    found({ status: ['issued', 'voided'] }, { field, direction });
  expect(await by('TOTAL', 'ASC')).toEqual((await by('TOTAL', 'DESC')).reverse());
  expect((await by('TOTAL', 'ASC')).slice(0, 2)).toEqual(['correction', 'cheap']);
  expect((await by('RECIPIENT_NAME', 'DESC')).slice(0, 2)).toEqual(['garcia', 'alvarez']);
  const isNamed = (name: string) => ['garcia', 'alvarez'].includes(name);
  const nameless = Object.keys(ids).filter((name) => !isNamed(name));
  // Ties are in the order of issue.
  expect(await by('RECIPIENT_NAME', 'ASC')).toEqual([...nameless, 'alvarez', 'garcia']);
  expect((await by('TOTAL', 'ASC')).filter(isNamed)).toEqual(['garcia', 'alvarez']);
  expect((await by('NUMBER', 'ASC')).slice(0, 2)).toEqual(['cheap', 'menu']);
  expect(await by('ISSUED_AT', 'ASC')).toEqual(Object.keys(ids));
  const undue = nameless;
  expect(await by('DUE_ON', 'ASC')).toEqual(['alvarez', 'garcia', ...undue]);
  expect(await by('DUE_ON', 'DESC')).toEqual([...undue.toReversed(), 'garcia', 'alvarez']);
});

describe('pages', () => {
  const orders = ['ISSUED_AT', 'NUMBER', 'TOTAL', 'RECIPIENT_NAME', 'DUE_ON'].flatMap((field) =>
    ['ASC', 'DESC'].map((direction) => ({ field, direction })),
  );

  test.each([undefined, ...orders])('from both ends are the whole list: %j', async (orderBy) => {
    const whole = await list({ orderBy });
    const all = whole.edges.map(({ node }: { node: { id: string } }) => node.id);
    expect(all).toHaveLength(Object.keys(ids).length);
    for (const [size, from, more, next] of [
      ['first', 'after', 'hasNextPage', 'endCursor'],
      ['last', 'before', 'hasPreviousPage', 'startCursor'],
    ] as const) {
      const seen: string[][] = [];
      let cursor: string | undefined;
      for (let page = 0; page < 9; page += 1) {
        const { edges, pageInfo, totalCount, totalCountIsExact } = await list({
          orderBy,
          [size]: 4,
          [from]: cursor,
        });
        seen.push(edges.map(({ node }: { node: { id: string } }) => node.id));
        expect([totalCount, totalCountIsExact]).toEqual([all.length, true]);
        if (!pageInfo[more]) break;
        cursor = pageInfo[next];
      }
      expect((size === 'first' ? seen : seen.reverse()).flat()).toEqual(all);
    }
  });

  test('between two cursors end at both', async () => {
    const { edges } = await list({ filter: { status: ['issued'] } });
    const [first, second, third, fourth] = edges;
    const page = { filter: { status: ['issued'] }, after: first.cursor, before: fourth.cursor };
    for (const size of [{ first: 9 }, { last: 9 }]) {
      expect((await list({ ...page, ...size })).edges).toEqual([second, third]);
    }
  });

  test('go on with cursors of the same list alone', async () => {
    const filter = { status: ['issued'] };
    const { pageInfo } = await list({ filter, first: 2 });
    const foreign = await service.call('POST', '/v1/invoices', {
      body: aSimplifiedInvoice(),
      key: service.company.live.key,
    });
    for (const args of [
      { filter: { status: ['voided'] }, after: pageInfo.endCursor },
      { filter, orderBy: { field: 'TOTAL', direction: 'ASC' }, after: pageInfo.endCursor },
      { after: pageInfo.endCursor },
      { filter, after: ids['cheap'] },
      { after: foreign.body.id },
      { before: 'x'.repeat(10_000) },
    ]) {
      const { error } = await list(args);
      const field = 'before' in args ? 'before' : 'after';
      expect(error?.extensions, JSON.stringify(args).slice(0, 200)).toMatchObject({
        code: 'invalid_request',
        errors: [{ field }],
      });
    }
    expect((await list({ filter, after: pageInfo.endCursor })).error).toBeUndefined();
  });

  test.each([{ first: 1, last: 1 }, { first: 0 }, { last: -1 }, { first: 101 }, { last: 2_000_000_000 }])(
    'of a size that is none are refused: %j',
    async (size) => {
      expect((await list(size)).error.extensions.code).toBe('invalid_request');
    },
  );
});

test('counting takes one more statement, only when it is requested', async () => {
  const count = async (fields: string) =>
    (await statementsOf(async () => expect((await list({}, fields)).error).toBeUndefined())).length;
  const without = await count('');
  expect(await count('totalCount totalCountIsExact')).toBe(without + 1);
});

test('related rows of invoices are read with one statement for each kind, however many invoices there are', async () => {
  const fields = `series { id prefix } company { id nif } family { head { id } inForceTotal creditableRemainder }
    rectifiedBy { id number } rectifies { invoice { id number } } updatedAt taxBreakdown { type rate base amount }`;
  const readPage = async (first: number) => {
    let edges: Variables[] = [];
    const sent = await statementsOf(async () => {
      const { body } = await service.graphql(
        `{ invoices(first: ${first}) { edges { node { id total ${fields} } } } }`,
      );
      expect(body.errors).toBeUndefined();
      ({ edges } = body.data.invoices);
    });
    return { sent, nodes: new Map(edges.map(({ node }) => [nameOf(node.id), node])) };
  };
  const { sent, nodes } = await readPage(9);
  expect((await readPage(5)).sent.length).toBe(sent.length);
  expect(nodes.get('corrected')).toMatchObject({
    rectifiedBy: [{ id: ids['correction'] }],
    family: { head: { id: ids['correction'] }, inForceTotal: expect.any(Number) },
    series: { prefix: 'F' },
  });
  const { corrected, correction, replaced, replacement } = Object.fromEntries(nodes);
  expect(corrected.family.inForceTotal).toBe(corrected.total + correction.total);
  expect(replaced.family).toEqual(replacement.family);
  expect(replaced.family.inForceTotal).toBe(replacement.total);
  expect(correction.rectifies[0].invoice.id).toBe(ids['corrected']);
});

test('totals are those of what counts, to the cent, by group and by rate', async () => {
  const { body } = await service.graphql(`{
    invoices(filter: { inForce: true }) { edges { node { subtotal tax total taxBreakdown { type rate base amount } } } }
    all: invoiceTotals { count subtotal tax total byRate { type rate base tax } }
    some: invoiceTotals(groupBy: [MONTH, TAX_RATE, KIND]) { month taxRate kind count subtotal tax total } }`);
  expect(body.errors).toBeUndefined();
  const counted: Variables[] = body.data.invoices.edges.map(({ node }: Variables) => node);
  const sumOf = (rows: Variables[], field: string) => rows.reduce((sum, row) => sum + row[field], 0);
  const [whole] = body.data.all;
  expect(whole.count).toBe(counted.length);
  for (const field of ['subtotal', 'tax', 'total']) {
    expect(whole[field]).toBe(sumOf(counted, field));
    expect(sumOf(body.data.some, field)).toBe(whole[field]);
  }
  const taxes = counted.flatMap(({ taxBreakdown }) => taxBreakdown);
  expect(sumOf(whole.byRate, 'tax')).toBe(sumOf(taxes, 'amount'));
  expect(sumOf(whole.byRate, 'base')).toBe(sumOf(taxes, 'base'));
});

test('of more groups than an answer may have are refused, with the reason', async () => {
  const groups = async () =>
    (await service.graphql('{ invoiceTotals(groupBy: [MONTH, TAX_RATE, KIND, RECIPIENT]) { total } }')).body;
  const { data } = await groups();
  const { length } = data.invoiceTotals;
  expect(length).toBeGreaterThan(1);
  const most = vi.spyOn(GRAPHQL_LIMITS.totalGroups, 'value', 'get');
  try {
    most.mockReturnValue(length as never);
    expect((await groups()).data.invoiceTotals).toHaveLength(length);
    most.mockReturnValue((length - 1) as never);
    const { errors } = await groups();
    expect(errors).toMatchObject([{ path: ['invoiceTotals'], extensions: { code: 'invalid_request' } }]);
    expect(errors[0].message).toContain(`more than ${length - 1} groups`);
  } finally {
    most.mockRestore();
  }
});

test('an invoice whose substitution is voided is in force again, and out of force once it is voided itself', async () => {
  const operator = await operatorOf(service);
  const issue = async (body: object) => (await service.call('POST', '/v1/invoices', { body })).body;
  const original = await issue(aSimplifiedInvoice());
  const standings = async () => {
    const { edges: voided } = await list({ filter: { status: ['voided'] } });
    const { edges: outOfForce } = await list({ filter: { inForce: false } });
    const isIn = (edges: Variables[]) => edges.some(({ node }) => node['id'] === original.id);
    return { voided: isIn(voided), outOfForce: isIn(outOfForce) };
  };
  const later = await issue(substitution(original, 2_500));
  expect(await standings()).toEqual({ voided: false, outOfForce: true });
  await operator.voidInvoice(later.id);
  expect(await standings()).toEqual({ voided: false, outOfForce: false });
  await operator.voidInvoice(original.id);
  expect(await standings()).toEqual({ voided: true, outOfForce: true });
});

test('a link to a document stays the same', async () => {
  const link = async () =>
    (await service.graphql(`{ invoice(id: "${ids['cheap']}") { pdfUrl } }`)).body.data.invoice.pdfUrl;
  expect(await link()).toBe(await link());
});
