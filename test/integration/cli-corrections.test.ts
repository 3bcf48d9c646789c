import { afterAll, beforeAll, expect, test } from 'vitest';
import { testSimulator } from '../support/agency/simulator.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { decideRecords, xmlOf } from '../support/invoices/corrections.ts';
import { aCompleteInvoice, aLine, aSimplifiedInvoice } from '../support/invoices/invoices.ts';
import { type CommandLine, commandLine } from '../support/processes/command-line.ts';

let service: TestService;
let lacre: CommandLine;
beforeAll(async () => {
  const simulator = await testSimulator();
  service = await testService({}, { simulator });
  lacre = commandLine(service.db, {
    SIMULATOR_URL: simulator.url,
    SIMULATOR_TLS_URL: simulator.tlsUrl,
    SIMULATOR_TLS_DIR: simulator.tlsDir,
  });
});
afterAll(() => service.close());

async function issued(body: object, kind: 'test' | 'live' = 'test'): Promise<string> {
  const answer = await service.call('POST', '/v1/invoices', { body, key: service.company[kind].key });
  expect(answer.status).toBe(201);
  return answer.body.id;
}

/** The answer, or the failure with its exit code. */
async function run(...words: string[]): Promise<object> {
  const { exit, stderr, json } = await lacre(['invoices', ...words, '--json']);
  return exit === 0 ? json() : { ...JSON.parse(stderr), exit };
}

const RECIPIENT = [
  ...['--name', 'García Pérez Ana', '--tax-id', '12345678Z', '--line1', 'Calle Mayor 1'],
  ...['--postal-code', '28001', '--city', 'Madrid', '--country', 'ES', '--reason', 'Pedida en caja'],
];

const acts = async (subject: string) => {
  const text = 'select action, actor, reason from audit_entry where subject = $1';
  return (await service.db.pool.query(text, [subject])).rows;
};
const BY = expect.stringMatching(/^cli:./);

test('an invoice is voided, and the audit log names the operator', async () => {
  const id = await issued(aCompleteInvoice());
  expect(await run('void', id, '--reason', 'Duplicada')).toMatchObject({ invoiceId: id });
  expect(await run('void', id, '--reason', 'Duplicada')).toMatchObject({
    ...{ exit: 3, error: 'refused', code: 'invoice_already_voided' },
  });
  expect(await acts(id)).toEqual([{ action: 'void_invoice', actor: BY, reason: 'Duplicada' }]);
  expect(await run('void', `inv_${'0'.repeat(32)}`, '--reason', 'x')).toMatchObject({ exit: 4 });
});

test('tickets are exchanged', async () => {
  const tickets = [await issued(aSimplifiedInvoice()), await issued(aSimplifiedInvoice())];
  expect(await run('exchange', ...tickets, ...RECIPIENT)).toMatchObject({
    number: expect.stringMatching(/^F-/),
    total: 2 * 24_200,
  });
  expect(await run('exchange', ...tickets, ...RECIPIENT)).toMatchObject({ code: 'invoice_has_live_canje' });
});

test('a rejected record is amended', async () => {
  const id = await issued(aCompleteInvoice(), 'live');
  await decideRecords(service.db, id, 'rejected');
  const change = ['--reason', 'Nombre mal', '--name', 'Garcia Perez Ana', '--description', 'Obra'];
  expect(await run('amend', id, ...change)).toMatchObject({ exit: 7, error: 'live' });
  expect(await run('amend', id, ...change, '--reclassify', '--live')).toMatchObject({ invoiceId: id });
  const [, xml] = await xmlOf(service.db, id);
  expect(xml).toContain('<sf:NombreRazon>Garcia Perez Ana<');
  expect(xml).toContain('<sf:DescripcionOperacion>Obra<');
});

test('a record is skipped', async () => {
  const id = await issued(aCompleteInvoice(), 'live');
  const shown = (await run('show', id)) as { records: { id: string; status: string }[] };
  const record = shown.records[0]!.id;
  expect(await run('skip', record, '--reason', 'SII', '--live')).toMatchObject({ invoiceId: id });
  const again = await run('skip-record', record, '--reason', 'SII', '--live');
  expect(again).toMatchObject({ exit: 3, code: 'invalid_request' });
});

test('invoices are listed by their filters, page by page', async () => {
  const before = ['list', '--environment', String(service.company.test.environmentId)];
  const texts = ['Zapatos azules', 'Zapatos rojos'];
  for (const description of texts) {
    await issued(aSimplifiedInvoice({ line_items: [aLine({ description })] }));
  }
  const list = async (...words: string[]) =>
    (await run(...before, '--text', 'zapatos', ...words)) as { invoices: { id: string }[]; hasMore: boolean };
  const first = await list('--limit', '1');
  expect(first.hasMore).toBe(true);
  const second = await list('--limit', '1', '--after', first.invoices[0]!.id);
  expect([second.invoices.length, second.hasMore]).toEqual([1, false]);
  expect((await list('--status', 'voided')).invoices).toEqual([]);
  expect((await list('--to', '2020-01-01')).invoices).toEqual([]);
  expect((await list('--from', '2020-01-01', '--registration', 'registered')).invoices).toHaveLength(2);
  expect(await run(...before, '--after', 'inv_1')).toMatchObject({ exit: 3, code: 'invalid_request' });
  const people = await lacre(['invoices', ...before, '--text', 'zapatos']);
  expect(people.stdout).toMatch(
    /^id +number +type.*\ninv_\w+ +F-\d{4}-\d+ +simplified .*\n.*\nhasMore: false\n$/,
  );
});

test.each([
  ['void', []],
  ['void', ['inv_1']],
  ['void', ['inv_1', 'inv_2', '--reason', 'x']],
  ['exchange', RECIPIENT],
  ['exchange', ['inv_1', '--colour', 'red']],
  ['list', ['--environment', '1', '--limit', '0']],
  ['list', ['--environment', '1', '--from', '2026-02-30']],
  ['list', ['--environment', '1', '--status', 'lost']],
  ['skip', ['--reason', 'x']],
])('%s %j is not understood', async (name, args) => {
  expect(await run(name, ...args)).toMatchObject({ exit: 2, error: 'usage' });
});
