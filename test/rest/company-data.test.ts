import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { clock } from '../../src/ground/lib/clock.ts';
import { createApiKey, createOperatorKey } from '../../src/subjects/accounts/keys.ts';
import { verifyEnvironment } from '../../src/subjects/chain/verify.ts';
import { loadInvoiceContent } from '../../src/subjects/documents/content.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { createCompany, type TestCompany } from '../support/invoices/company.ts';
import { aCompleteInvoice, aSimplifiedInvoice } from '../support/invoices/invoices.ts';

let service: TestService;
let company: TestCompany;
let key: string;
beforeAll(async () => {
  service = await testService();
  company = await createCompany(service.db);
  key = (await createOperatorKey(service.db.pool, 'Ada')).key;
});
afterAll(() => service.close());
afterEach(() => clock.reset());

const issue = async () =>
  (await service.call('POST', '/v1/invoices', { key: company.test.key, body: aSimplifiedInvoice() })).body;
const ask = async (query: string, variables: object = {}) =>
  (await service.graphql(query, variables, { key })).body;
const update = (change: string) =>
  ask(
    `mutation { updateCompany(companyId: "${company.companyId}", reason: "deed", ${change}) { legalName timeZone } }`,
  );
const refused = (body: { errors: { extensions: object }[] }) => body.errors[0]?.extensions;
const recordOf = async (id: string) =>
  (await ask(`{ invoice(id: "${id}") { records { xml } } }`)).data.invoice.records[0].xml as string;
const printed = (id: string) => {
  const bases = { test: 'https://x.example', live: 'https://x.example' };
  return loadInvoiceContent(service.db, bases, company.test.environmentId, id);
};
const lastAct = async () =>
  (await service.db.pool.query('select action, details from audit_entry order by at desc, id desc limit 1'))
    .rows[0];

const ADDRESS = `{ line1: "Calle Nueva 2", postalCode: "35001", city: "Las Palmas" }`;

test('what is issued after a change has the new data, and what was issued keeps its own', async () => {
  const before = await issue();
  const changed = await update(`legalName: "Otro Nombre SL", address: ${ADDRESS}`);
  expect(changed.data.updateCompany).toEqual({ legalName: 'Otro Nombre SL', timeZone: 'Europe/Madrid' });
  const after = await issue();
  expect(await recordOf(before.id)).toContain('<sf:NombreRazonEmisor>Talleres Ñandú SL<');
  expect(await recordOf(after.id)).toContain('<sf:NombreRazonEmisor>Otro Nombre SL<');
  const old = { legalName: 'Talleres Ñandú SL', line1: 'Calle Mayor 1', postalCode: '28001' };
  expect((await printed(before.id))?.issuer).toMatchObject(old);
  const now = { legalName: 'Otro Nombre SL', line1: 'Calle Nueva 2', line2: null, postalCode: '35001' };
  expect((await printed(after.id))?.issuer).toMatchObject(now);
  expect((await verifyEnvironment(service.db.pool, company.test.environmentId))?.findings).toEqual([]);
  expect(await lastAct()).toMatchObject({
    action: 'update_company',
    details: {
      before: { legalName: 'Talleres Ñandú SL', line1: 'Calle Mayor 1' },
      after: { legalName: 'Otro Nombre SL', line1: 'Calle Nueva 2' },
    },
  });
});

test.each([
  ['NO CENSADO SL', { code: 'invalid_tax_id', status: 422 }],
  ['CENSO CAIDO SL', { code: 'tax_id_validation_unavailable', status: 503 }],
])('the census decides about the name %s, unless it is not to be asked', async (legalName, refusal) => {
  expect(refused(await update(`legalName: "${legalName}"`))).toMatchObject(refusal);
  const input = (nif: string, more: string) =>
    `mutation { createCompany(input: { nif: "${nif}", legalName: "${legalName}", reason: "x", address: ${ADDRESS}, ${more} }) { id } }`;
  const nif = legalName.startsWith('NO') ? 'A58818501' : 'A28015865';
  expect(refused(await ask(input(nif, 'withoutCensus: false')))).toMatchObject(refusal);
  const { data } = await ask(input(nif, 'withoutCensus: true'));
  expect(data.createCompany.id).toMatch(/^co_/);
  expect(await lastAct()).toMatchObject({ action: 'create_company', details: { withoutCensus: true } });
  expect((await update(`legalName: "${legalName}", withoutCensus: true`)).data.updateCompany).toMatchObject({
    legalName,
  });
  expect(await lastAct()).toMatchObject({ action: 'update_company', details: { withoutCensus: true } });
});

test.each([
  ['reason: "x"', 'required'],
  ['timeZone: "Europe/London"', 'invalid_value'],
  ['legalName: ""', 'too_small'],
])('a change by %s is refused', async (change, code) => {
  const sent = change.startsWith('reason') ? 'withoutCensus: true' : change;
  expect(refused(await update(sent))).toMatchObject({ code: 'invalid_request', errors: [{ code }] });
});

const INDIVIDUAL =
  /<Individual><Name>(.*?)<\/Name><FirstSurname>(.*?)<\/FirstSurname><SecondSurname>(.*?)<\/SecondSurname>/g;

test('the parts of a person’s name divide it, and end with the name', async () => {
  const person = { nif: '12345678Z', legalName: 'ANA MARIA RUIZ DE LA TORRE' };
  const input = { ...person, givenName: 'Ana María', surnames: 'Ruiz de la Torre', reason: 'x' };
  const made = await ask(
    `mutation ($input: CreateCompanyInput!) { createCompany(input: $input) { id givenName surnames environments { edges { node { number kind } } } } }`,
    { input: { ...input, address: { line1: 'Calle Mayor 1', postalCode: '28001', city: 'Madrid' } } },
  );
  const { id, environments, ...parts } = made.data.createCompany;
  expect(parts).toEqual({ givenName: 'Ana María', surnames: 'Ruiz de la Torre' });
  const { number } = environments.edges.find(
    ({ node }: { node: { kind: string } }) => node.kind === 'test',
  ).node;
  const owner = { environmentId: number, environment: 'test', name: 'test' } as const;
  const { key: own } = await createApiKey(service.db.pool, owner);
  const divided = async () => {
    const recipient = {
      given_name: 'Eva',
      surnames: 'Peña del Río',
      tax_id: '00000000T',
      name: 'Eva Peña del Río',
    };
    const body = aCompleteInvoice({ recipient: { ...aCompleteInvoice().recipient, ...recipient } });
    const issued = await service.call('POST', '/v1/invoices', { key: own, body });
    const file = await service.call('GET', `/v1/invoices/${issued.body.id}/formats/facturae`, { key: own });
    return [...file.body.matchAll(INDIVIDUAL)].map(([, ...names]) => names);
  };
  const change = async (to: string) =>
    (
      await ask(
        `mutation { updateCompany(companyId: "${id}", reason: "deed", ${to}) { legalName givenName surnames } }`,
      )
    ).data.updateCompany;
  const buyer = ['Eva', 'Peña', 'del Río'];
  expect(await divided()).toEqual([['Ana María', 'Ruiz', 'de la Torre'], buyer]);
  expect(await change('surnames: "Ruiz Torre"')).toEqual({
    ...{ legalName: person.legalName, givenName: 'Ana María', surnames: 'Ruiz Torre' },
  });
  expect(await divided()).toEqual([['Ana María', 'Ruiz', 'Torre'], buyer]);
  const legalName = 'RUIZ DE LA TORRE ANA MARIA';
  expect(await change(`legalName: "${legalName}"`)).toEqual({ legalName, givenName: null, surnames: null });
  // In the order of the census, surnames first.
  expect(await divided()).toEqual([['ANA MARIA', 'RUIZ', 'DE LA TORRE'], buyer]);
  expect((await verifyEnvironment(service.db.pool, number))?.findings).toEqual([]);
});

test('the time zone changes from the day after the last invoice on', async () => {
  clock.freeze(new Date('2029-05-03T12:00:00Z'));
  await issue();
  const move = () => update('timeZone: "Atlantic/Canary"');
  expect(refused(await move())).toMatchObject({ errors: [{ field: 'timeZone', code: 'out_of_range' }] });
  // In Madrid the day is over, in the islands it is not.
  clock.freeze(new Date('2029-05-03T22:30:00Z'));
  expect(refused(await move())).toMatchObject({ errors: [{ field: 'timeZone', code: 'out_of_range' }] });
  clock.freeze(new Date('2029-05-03T23:00:00Z'));
  expect((await move()).data.updateCompany.timeZone).toBe('Atlantic/Canary');
  expect(await recordOf((await issue()).id)).toContain('>2029-05-04T00:00:00+01:00<');
  expect(refused(await update('timeZone: "Europe/Madrid"'))).toMatchObject({
    errors: [{ field: 'timeZone' }],
  });
});
