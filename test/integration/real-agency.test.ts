import { afterAll, beforeAll, expect, test } from 'vitest';
import { isRefusal } from '../../src/ground/errors/refusal.ts';
import { type TestService, testService } from '../support/http/http-service.ts';

/** A service that registers with the agency itself, without a certificate: nothing goes out, and a simulator is at hand. */
let service: TestService;
beforeAll(async () => {
  service = await testService({
    ...{ AGENCY: 'production', SOFTWARE_PRODUCER_NAME: 'Lacre SL', SOFTWARE_PRODUCER_NIF: 'B72877814' },
  });
});
afterAll(() => service.close());

const NIF = { taxId: '12345678Z', name: 'GARCIA PEREZ ANA' };

test('with AGENCY=production the simulator answers for test environments, and for no live one', async () => {
  const { registers } = service.services;
  const { test: trial, live } = service.company;
  expect(await registers.test.validateTaxId(NIF, trial.environmentId)).toMatchObject({
    register: 'aeat_census',
  });
  const answer = await registers.live.validateTaxId(NIF, live.environmentId);
  expect(isRefusal(answer) && answer.code).toBe('tax_id_validation_unavailable');
});

test('with AGENCY=production no record goes to the simulator', async () => {
  const client = await service.services.agencyClients.clientFor(service.company.live.environmentId);
  expect(await client.post('<a/>')).toMatchObject({ kind: 'not_sent' });
});

test('with AGENCY=production live invoices are looked up at the agency, test invoices never', () => {
  const { qrBases } = service.services;
  expect(new URL(qrBases.live).hostname).toBe('www2.agenciatributaria.gob.es');
  expect(qrBases.test).not.toContain('agenciatributaria');
});
