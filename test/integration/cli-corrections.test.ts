import { afterAll, beforeAll, expect, test } from 'vitest';
import { UsageError } from '../../src/cli/command.ts';
import { invoices } from '../../src/cli/invoices.ts';
import { type Config, readConfig } from '../../src/config.ts';
import { testSimulator } from '../support/agency-simulator.ts';
import { settle, xmlOf } from '../support/corrections.ts';
import { type TestService, testService } from '../support/http-service.ts';
import { aCompleteInvoice, aSimplifiedInvoice } from '../support/invoices.ts';

let service: TestService;
let config: Config;
beforeAll(async () => {
  const simulator = await testSimulator();
  service = await testService({}, { simulator });
  config = readConfig({
    ...{ LINK_SECRET: 'x'.repeat(32), CERTIFICATE_KEYS: `test:${'A'.repeat(43)}=` },
    ...{
      SIMULATOR_URL: simulator.url,
      SIMULATOR_TLS_URL: simulator.tlsUrl,
      SIMULATOR_TLS_DIR: simulator.tlsDir,
    },
  });
});
afterAll(() => service.close());

async function issued(body: object, kind: 'test' | 'live' = 'test'): Promise<string> {
  const answer = await service.call('POST', '/v1/invoices', { body, key: service.company[kind].key });
  expect(answer.status).toBe(201);
  return answer.body.id;
}

const run = (name: string, ...args: string[]): Promise<unknown> =>
  invoices[name]!.run(service.db, args, config);

const RECIPIENT = [
  ...['--name', 'García Pérez Ana', '--tax-id', '12345678Z', '--line1', 'Calle Mayor 1'],
  ...['--postal-code', '28001', '--city', 'Madrid', '--country', 'ES'],
];

test('an invoice is voided, and the log knows by whom', async () => {
  const id = await issued(aCompleteInvoice());
  expect(await run('void', id, '--reason', 'Duplicada')).toMatchObject({ invoiceId: id });
  expect(await run('void', id, '--reason', 'Duplicada')).toMatchObject({ code: 'invoice_already_voided' });
  const { rows } = await service.db.pool.query('select actor, reason from audit_entry where subject = $1', [
    id,
  ]);
  expect(rows).toEqual([{ actor: expect.stringMatching(/^cli:./), reason: 'Duplicada' }]);
});

test('tickets are exchanged', async () => {
  const tickets = [await issued(aSimplifiedInvoice()), await issued(aSimplifiedInvoice())];
  expect(await run('exchange', ...tickets, ...RECIPIENT)).toMatchObject({
    number: expect.stringMatching(/^F-/),
    total: 2 * 24_200,
  });
  expect(await run('exchange', ...tickets, ...RECIPIENT)).toMatchObject({ code: 'invoice_has_live_canje' });
  expect(await run('exchange', ...RECIPIENT)).toMatchObject({ code: 'invalid_request' });
});

test('a rejected record is amended', async () => {
  const id = await issued(aCompleteInvoice(), 'live');
  await settle(service.db, id, 'rejected');
  const change = ['--reason', 'Nombre mal', '--name', 'Garcia Perez Ana', '--description', 'Obra'];
  expect(await run('amend', id, ...change, '--reclassify', 'yes')).toMatchObject({ invoiceId: id });
  const [, xml] = await xmlOf(service.db, id);
  expect(xml).toContain('<sf:NombreRazon>Garcia Perez Ana<');
  expect(xml).toContain('<sf:DescripcionOperacion>Obra<');
});

test('a record is skipped', async () => {
  const id = await issued(aCompleteInvoice(), 'live');
  const { rows } = await service.db.pool.query('select id from registration_record where invoice_id = $1', [
    id,
  ]);
  expect(await run('skip-record', rows[0].id, '--reason', 'SII')).toMatchObject({ invoiceId: id });
  expect(await run('skip-record', rows[0].id, '--reason', 'SII')).toMatchObject({ code: 'invalid_request' });
});

test.each([
  ['void', []],
  ['void', ['inv_1']],
  ['void', ['inv_1', 'inv_2', '--reason', 'x']],
  ['amend', ['inv_1', '--reason', 'x', '--reclassify', 'perhaps']],
  ['exchange', ['inv_1', '--colour', 'red']],
  ['skip-record', ['--reason', 'x']],
])('%s %j is not understood', async (name, args) => {
  await expect(run(name, ...args)).rejects.toThrow(UsageError);
});
