import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { clock } from '../../src/ground/lib/clock.ts';
import { createOperatorKey } from '../../src/subjects/accounts/keys.ts';
import { untoldEnds } from '../../src/subjects/operations/store/read-views.ts';
import { registrationEnvelope } from '../../src/subjects/registration/aeat/envelope.ts';
import { submitChain } from '../../src/subjects/registration/submit.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { createCompany, type TestCompany } from '../support/invoices/company.ts';
import { aSimplifiedInvoice } from '../support/invoices/invoices.ts';

const YEAR = new Date().getFullYear();
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

const issue = (environment: 'test' | 'live') =>
  service.call('POST', '/v1/invoices', { key: company[environment].key, body: aSimplifiedInvoice() });
const end = async (lastDay: string) =>
  (
    await service.graphql(
      `mutation { endVerifactu(companyId: "${company.companyId}", lastDay: "${lastDay}", reason: "letter") {
        verifactuEndsOn verifactuEndToldAt } }`,
      {},
      { key },
    )
  ).body;
const told = async () =>
  (await service.graphql(`{ company(id: "${company.companyId}") { verifactuEndToldAt } }`, {}, { key })).body
    .data.company.verifactuEndToldAt;

async function send(): Promise<string[]> {
  const { environmentId, chainId } = company.live;
  const agency = await service.services.agencyClients.clientFor(environmentId);
  const sent: string[] = [];
  const noting: typeof agency = {
    ...agency,
    post(envelope, ...rest) {
      sent.push(envelope);
      return agency.post(envelope, ...rest);
    },
  };
  await service.owner.query('update chain_dispatch set next_send_at = now() - interval $$1 hour$$');
  await submitChain({ ...service.services, agency: noting }, { environmentId, chainId });
  return sent;
}

test.each([`${YEAR}-12-30`, `${YEAR - 1}-12-31`, `${YEAR + 1}-12-31`])('%s is no last day', async (day) => {
  const { errors } = await end(day);
  expect(errors[0].extensions).toMatchObject({
    code: 'invalid_request',
    errors: [{ field: 'lastDay', code: 'out_of_range' }],
  });
});

test('the header states the end before an incident', () => {
  const envelope = registrationEnvelope({ nif: 'B72877814', legalName: 'X' }, ['<r/>'], true, '2027-12-31');
  expect(envelope).toContain(
    '</sf:ObligadoEmision><sf:RemisionVoluntaria><sf:FechaFinVeriFactu>31-12-2027</sf:FechaFinVeriFactu><sf:Incidencia>S</sf:Incidencia></sf:RemisionVoluntaria>',
  );
});

test('every message of the year tells it, until one was answered it alarms, and afterwards nothing is issued', async () => {
  const lastDay = `${YEAR}-12-31`;
  expect((await end(lastDay)).data.endVerifactu).toEqual({
    verifactuEndsOn: lastDay,
    verifactuEndToldAt: null,
  });
  await end(lastDay);
  const acts = "select count(*)::int as count from audit_entry where action = 'end_verifactu'";
  expect((await service.db.pool.query(acts)).rows).toEqual([{ count: 1 }]);
  const untold = () => untoldEnds(service.db.pool);
  clock.freeze(new Date(`${YEAR}-12-14T22:59:59Z`));
  expect(await untold()).toEqual([]);
  clock.freeze(new Date(`${YEAR}-12-14T23:00:00Z`));
  expect(await untold()).toEqual([{ companyId: company.companyId, lastDay }]);
  clock.reset();

  expect((await issue('live')).status).toBe(201);
  const [message] = await send();
  expect(message).toContain(`<sf:FechaFinVeriFactu>31-12-${YEAR}</sf:FechaFinVeriFactu>`);
  expect(await told()).toMatch(/Z$/);

  clock.freeze(new Date(`${YEAR}-12-31T22:30:00Z`));
  expect(await untold()).toEqual([]);
  const due = (await issue('live')).body;
  expect(due.number).toContain(String(YEAR));
  clock.freeze(new Date(`${YEAR}-12-31T23:00:00Z`));
  expect(await issue('live')).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  expect((await issue('test')).status).toBe(201);
  const [late] = await send();
  expect(late).toContain(due.number);
  expect(late).not.toContain('FechaFinVeriFactu');
});
