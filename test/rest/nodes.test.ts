import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestService, testService } from '../support/http/http-service.ts';
import { issueWith } from '../support/invoices/corrections.ts';
import { aSimplifiedInvoice } from '../support/invoices/invoices.ts';

/** Finding anything by its id. */

let service: TestService;
/** The id of an invoice. */
let own: string;
beforeAll(async () => {
  service = await testService();
  ({ id: own } = await issueWith(service, aSimplifiedInvoice(), 'test'));
});
afterAll(() => service.close());

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of many shapes
type Variables = Record<string, any>;

test('anything is found by its id, and what is not is null with an error where it stands', async () => {
  const { body } = await service.graphql(
    `query ($ids: [ID!]!) { node(id: "${own}") { id __typename ... on Invoice { number } }
      nodes(ids: $ids) { id __typename } }`,
    { ids: [service.company.test.standardSeriesId, 'inv_none', service.company.companyId, 'x'] },
  );
  expect(body.data.node).toMatchObject({ id: own, __typename: 'Invoice' });
  expect(body.data.nodes.map((node: Variables | null) => node?.['__typename'] ?? null)).toEqual([
    'NumberSeries',
    null,
    'Company',
    null,
  ]);
  const paths: string[] = body.errors.map(({ path }: Variables) => path.join('.'));
  expect(paths.sort()).toEqual(['nodes.1', 'nodes.3']);
});

test('nodes takes a hundred ids, whatever they look like, and each is answered at its place', async () => {
  const nodes = async (wanted: readonly string[]) => {
    const query =
      'query ($ids: [ID!]!) { nodes(ids: $ids) { id ...more } } fragment more on Node { a: id b: id }';
    return (await service.graphql(query, { ids: wanted })).body;
  };
  const foreign = await service.call('POST', '/v1/invoices', {
    body: aSimplifiedInvoice(),
    key: service.company.live.key,
  });
  const { live } = service.company;
  const others = [
    ...[foreign.body.id, foreign.body.line_items[0].id, live.standardSeriesId, `env_${live.environmentId}`],
    ...['', '_', 'inv_', 'inv_\u0000', 'ns_\u0000', 'ns_\ud800', "ns_' or 1=1", `cus_${'x'.repeat(10_000)}`],
    ...['__proto___1', 'constructor_1', 'job_99999999999999999999', 'chain_1', 'key_1', 'pay_1'],
    ...['bar_1_1', 'evt_1', 'INV_1'],
  ];
  const { data, errors } = await nodes([own, ...others, own]);
  const found = { id: own, a: own, b: own };
  expect(data.nodes).toEqual([found, ...others.map(() => null), found]);
  expect(new Set(errors.map(({ extensions }: Variables) => extensions.code))).toEqual(new Set(['not_found']));
  expect(errors).toHaveLength(others.length);
  expect((await nodes([])).data.nodes).toEqual([]);
  expect((await nodes(Array(100).fill(own))).data.nodes).toHaveLength(100);
  for (const count of [101, 1_000, 10_000])
    expect((await nodes(Array(count).fill(own))).errors[0].extensions).toMatchObject({
      code: 'invalid_request',
      errors: [{ field: 'ids', code: 'too_big' }],
    });
});

test('a line is found by its id, in its own environment alone', async () => {
  const lines = '{ id description total }';
  const { lineItems } = (await service.graphql(`{ invoice(id: "${own}") { lineItems ${lines} } }`)).body.data
    .invoice;
  const [line] = lineItems;
  const wanted = (id: string) => `{ node(id: "${id}") { __typename ... on LineItem ${lines} } }`;
  expect((await service.graphql(wanted(line.id))).body.data.node).toEqual({
    __typename: 'LineItem',
    ...line,
  });
  const { key } = service.company.live;
  for (const { body } of [
    await service.graphql(wanted(line.id), {}, { key }),
    await service.graphql(wanted(line.id.replace(/0$/, '1'))),
    await service.graphql(wanted('ili_x')),
  ]) {
    expect(body).toMatchObject({ data: { node: null }, errors: [{ extensions: { code: 'not_found' } }] });
  }
});
