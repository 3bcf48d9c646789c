import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LIVE_SCRIPT } from '../../src/faces/web/live.ts';
import { historyOf, sampleOperations } from '../../src/subjects/operations/history.ts';
import { type TestSimulator, testSimulator } from '../support/agency/simulator.ts';
import { anOrdinaryDay, anUnsentCompany, type UnsentCompany } from '../support/agency/unsent-company.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import type { Visitor } from '../support/http/visitor.ts';
import { aCompleteInvoice, aLine } from '../support/invoices/invoices.ts';
import { operatorIn } from '../support/pages/console.ts';

const HOSTILE = '<img src=x onerror=alert(1)> "SL" \u202e';

let simulator: TestSimulator;
let service: TestService;
let ada: Visitor;
let unsent: UnsentCompany;
let day: Awaited<ReturnType<typeof anOrdinaryDay>>;
beforeAll(async () => {
  simulator = await testSimulator();
  service = await testService({}, { simulator });
  ada = await operatorIn(service);
  unsent = await anUnsentCompany(service, 'Talleres de Guardia SL');
  day = await anOrdinaryDay(unsent, simulator);
});
afterAll(() => service?.close());

/** Every idle connection writes its statistics at once: left alone, it may take ten seconds. */
async function statisticsWritten(): Promise<void> {
  const { pool } = service.db;
  const written = Array.from({ length: pool.totalCount }, () =>
    pool.query('select pg_stat_force_next_flush()'),
  );
  await Promise.all(written);
}

/** The page as people read it: its words in one line. */
async function read(path: string): Promise<string> {
  const { status, text } = await ada.get(path);
  expect(status, path).toBe(200);
  const words = text.replace(/<style.*?<\/style>/gs, '').replace(/<[^>]+>/g, ' ');
  return words.replace(/\s+/g, ' ').replaceAll('&#39;', "'").replaceAll('&quot;', '"');
}

describe('the night when the agency is down', () => {
  test('is shown on every page for as long as anything is unsent, and no longer', async () => {
    const warning = 'Sending to the tax agency is delayed';
    expect(await read('/console')).not.toContain(warning);
    await simulator.control({ mode: 'down' });
    await unsent.issue();
    await unsent.issue();
    await unsent.send();
    for (const path of [
      '',
      '/failures',
      '/companies',
      `/chains/${unsent.chainId}`,
      `/invoices/${day.refused.id}`,
    ]) {
      const page = await read(`/console${path}`);
      expect(page, path).toContain(`${warning} 2 records are not sent yet`);
    }
    const overview = await read('/console');
    expect(overview).toContain('Sending failed');
    expect(overview).toMatch(
      /The envelope was sent, but no answer was received|The agency could not be reached/,
    );
    expect(overview).toMatch(/Chain \d+ Incident 2 \d+ s (now|in \d+ (s|min))/);
    await simulator.control({ mode: 'ok', enforce_wait: false });
    await unsent.send();
    expect(await read('/console')).not.toContain(warning);
  });
});

describe('the figures of the last day and month', () => {
  const sampled = async () => {
    // As a worker does every five minutes; the server tells of rows that a transaction has added a moment later.
    await service.owner.query('select pg_stat_force_next_flush()');
    await sampleOperations(service.db.pool);
  };
  const minutesAgo = (minutes: number) => `now() - interval '${minutes} minutes'`;

  test('is recorded by samples, deleted after 35 days, and shows what was done between them', async () => {
    const { owner, db } = service;
    const add = (at: string, ...values: number[]) =>
      owner.query(`insert into operations_sample values (${at}, ${values.join(', ')})`);
    // Invoices, records, deliveries, unsent, seconds, bytes; the server's counts begin again before the third.
    await add(minutesAgo(36 * 24 * 60), 100, 100, 10, 0, 0, 1000);
    await add(minutesAgo(300), 100, 100, 10, 0, 0, 1000);
    await add(minutesAgo(240), 160, 170, 30, 20, 90, 2000);
    await add(minutesAgo(180), 7, 8, 2, 5, 3600, 3000);
    const worked = (await historyOf(db.pool, 'DAY')).filter(
      ({ issued, registered }) => issued + registered > 0,
    );
    expect(worked).toMatchObject([
      { issued: 60, registered: 50, delivered: 20, oldestUnsentSeconds: 90, databaseBytes: 2000 },
      { issued: 7, registered: 23, delivered: 2, oldestUnsentSeconds: 3600, databaseBytes: 3000 },
    ]);
    expect(await historyOf(db.pool, 'MONTH')).not.toEqual([]);
    await sampled();
    const { rows } = await owner.query<{ old: number; size: boolean }>(
      `select (count(*) filter (where taken_at < now() - interval '35 days'))::int as old,
              bool_or(database_bytes = pg_database_size(current_database())) as size from operations_sample`,
    );
    expect(rows).toEqual([{ old: 0, size: true }]);
  });

  test('counts what is issued from one sample to the next', async () => {
    const total = async () =>
      (await historyOf(service.db.pool, 'DAY')).reduce((sum, { issued }) => sum + issued, 0);
    await statisticsWritten();
    await sampled();
    const before = await total();
    await unsent.issue();
    await statisticsWritten();
    await sampled();
    expect(await total()).toBe(before + 1);
  });

  test('is drawn with labels and a table that need neither colour nor sight', async () => {
    const { text } = await ada.get('/console');
    for (const title of [
      'Invoices issued',
      'Records registered',
      'Oldest record unsent',
      'Webhook deliveries',
      'Database on disk',
    ]) {
      expect(
        text.split(`<title id="`).filter((part) => part.includes(`>${title}</title>`)),
        title,
      ).toHaveLength(2);
    }
    const plots = [...text.matchAll(/<figure class="plot">.*?<\/figure>/gs)].map(([whole]) => whole);
    expect(plots).toHaveLength(10);
    for (const each of plots) {
      const [, ids] = /<svg [^>]*role="img" aria-labelledby="([^"]+)"/.exec(each)!;
      const [title, caption] = ids!.split(' ').map((id) => each.split(`id="${id}">`)[1]!.split('<')[0]!);
      // Who sees it reads the same.
      const [seen] = each.split('<svg ');
      expect(seen).toContain(`<b>${title}</b>`);
      expect(seen).toContain(`>${caption}</span>`);
    }
    const words = await read('/console');
    expect(words).toMatch(/Invoices issued \d+ in all, 60 at most in half an hour\./);
    expect(words).toMatch(/Oldest record unsent .{3,12} at the end, 60 min at most\./);
    expect(words).toContain('Last day as a table');
    expect(words).not.toContain('NaN');
  });
});

describe('what the agency refused or flagged', () => {
  test('is on the overview with its code, its message and its remediation, refused ones first', async () => {
    const page = await read('/console');
    expect(page).toMatch(/1110\s+El NIF no está identificado en el censo de la AEAT\./);
    expect(page).toContain('Ask the merchant for the exact fiscal identity');
    expect(page).toMatch(/2001\s+El NIF del bloque Destinatarios/);
    expect(page.indexOf('Rejected')).toBeLessThan(page.indexOf('Registered with errors'));
    const { text } = await ada.get('/console');
    expect(text).toContain(`href="/console/invoices/${day.refused.id}/amend"`);
    expect(text).toContain('lang="es"');
  });

  test('is counted by cause, and narrowed to one', async () => {
    const page = await read('/console/failures?code=2001');
    expect(page).toContain(day.flagged.number);
    expect(page).not.toContain(day.refused.number);
    expect(await read('/console/failures?code=%3Cb%3E')).toContain('None.');
  });

  test('disappears once it is repaired', async () => {
    const refused = await unsent.issue({
      line_items: [aLine({ description: 'SIMULATE-REJECT viga' })],
    });
    await unsent.send();
    expect(await read('/console/failures')).toContain(refused.number);
    const amend = `/console/invoices/${refused.id}/amend`;
    expect((await ada.post(amend, { description: 'Una viga', reason: 'a slip' })).status).toBe(303);
    await unsent.send();
    expect(await read('/console/failures')).not.toContain(refused.number);
    const invoice = await read(`/console/invoices/${refused.id}`);
    expect(invoice.match(/Registration of /g)).toHaveLength(2);
  });
});

test('a parked record shows the reason of its envelope, or of the operator who parked it', async () => {
  const damaged = await unsent.issue();
  const record = await unsent.recordOf(damaged.id);
  await service.db.pool.query('update record_state set parked_reason = $2 where record_id = $1', [
    record,
    '4102: El XML no cumple el esquema. Falta informar campo obligatorio.',
  ]);
  const page = await read('/console');
  expect(page).toMatch(/4102\s+El XML no cumple el esquema\. Falta informar campo obligatorio\./);
  expect(page).toContain('This record makes every envelope fail');
  expect((await ada.post(`/console/records/${record}/unpark`, { reason: 'mended' })).status).toBe(303);
  await ada.post(`/console/records/${record}/park`, { reason: 'waits for the mandate' });
  expect(await read('/console')).toContain('Parked by an operator: waits for the mandate');
  await ada.post(`/console/records/${record}/skip`, { reason: 'never' });
});

describe('along a chain', () => {
  let long: UnsentCompany;
  let ids: string[];
  beforeAll(async () => {
    long = await anUnsentCompany(service, 'Cadena Larga SL');
    for (let n = 0; n < 45; n += 1) await long.issue();
    await long.send();
    const { rows } = await service.db.pool.query(
      'select id from registration_record where chain_id = $1 order by position',
      [long.chainId],
    );
    ids = rows.map(({ id }) => id);
  });
  const walk = (query = '') => ada.get(`/console/chains/${long.chainId}${query}`);
  const positions = (text: string) =>
    [...text.matchAll(/\/records\/rec_\w+">([\d,]+)<\/a>/g)].map(([, position]) => Number(position));

  test('it is paged from the newest to the first and back', async () => {
    let { text } = await walk();
    expect(positions(text)).toEqual(Array.from({ length: 20 }, (_, index) => index + 26));
    const seen = new Set(positions(text));
    const follow = async (name: string) => {
      const href = new RegExp(`href="([^"#]+)[^"]*">${name}<`).exec(text)?.[1];
      if (href === undefined) return false;
      ({ text } = await ada.get(href));
      for (const position of positions(text)) seen.add(position);
      return true;
    };
    while (await follow('‹ Earlier'));
    expect(seen.size).toBe(45);
    expect(positions(text)[0]).toBe(1);
    while (await follow('Later ›'));
    expect(positions(text).at(-1)).toBe(45);
    await follow('« First');
    expect(positions(text)[0]).toBe(1);
    await follow('Newest »');
    expect(positions(text).at(-1)).toBe(45);
  });

  test('it jumps to a position, and reports a missing one', async () => {
    expect(positions((await walk('?from=7')).text)[0]).toBe(7);
    for (const from of ['0', '46', '-1', 'x', '99999999999', "1'--"]) {
      const { status, text } = await walk(`?from=${encodeURIComponent(from)}`);
      expect([status, text.includes('does not exist: the newest')], from).toEqual([200, true]);
      expect(positions(text).at(-1)).toBe(45);
    }
  });

  test('every step shows whether link, fingerprint and time hold, also where they do not', async () => {
    expect((await walk()).text).toContain('no findings.');
    const record = async (position: number, change: string) => {
      const client = await service.owner.connect();
      await client.query('set session_replication_role = replica');
      await client.query(`update registration_record set ${change} where id = $1`, [ids[position - 1]]);
      await client.query('set session_replication_role = origin');
      client.release();
    };
    await record(30, "xml = replace(xml, '<sf:ImporteTotal>242.00', '<sf:ImporteTotal>241.00')");
    await record(35, "generated_at = generated_at - interval '1 hour'");
    await record(40, "previous_fingerprint = repeat('A', 64)");
    const page = await read(`/console/chains/${long.chainId}`);
    expect(page).toMatch(/3 records have findings\./);
    const step = async (position: number) => {
      const text = await read(`/console/records/${ids[position - 1]}`);
      return /(Link holds|Link does not hold).*?(Fingerprint holds|Fingerprint does not hold).*?(Time holds|Time does not hold)/
        .exec(text)
        ?.slice(1)
        .map((result) => result.endsWith(' holds'));
    };
    expect(await step(29)).toEqual([true, true, true]);
    expect(await step(30)).toEqual([true, false, true]);
    expect(await step(35)).toEqual([true, true, false]);
    expect(await step(40)).toEqual([false, true, true]);
    expect(await read(`/console/records/${ids[29]}`)).toMatch(/fingerprint : expected [0-9A-F]{64}/);
  });

  test('the page leads from record to record', async () => {
    const { text } = await ada.get(`/console/records/${ids[9]}`);
    expect(text).toContain(`href="/console/records/${ids[8]}"`);
    expect(text).toContain(`href="/console/records/${ids[10]}"`);
    expect((await ada.get(`/console/records/${ids[0]}`)).text).toContain('It is the first record.');
  });
});

describe('companies and invoices', () => {
  test('a company is found by name or NIF, and shows its environments and chains', async () => {
    const found = await read('/console/companies?text=guardia');
    expect(found).toContain('Talleres de Guardia SL');
    expect(found).not.toContain('Talleres Ñandú SL');
    expect(await read('/console/companies?text=nobody')).toContain('No company with this name or NIF.');
    const page = await read(`/console/companies/${unsent.company.companyId}`);
    expect(page).toContain(`Chain ${unsent.chainId}`);
    expect(page).toContain(`Chain ${unsent.company.test.chainId}`);
  });

  test('its invoices are those of one environment, by state and by text', async () => {
    const list = (query = '') => read(`/console/companies/${unsent.company.companyId}/invoices${query}`);
    expect(await list()).toContain(day.registered.number);
    const rejected = await list('?state=rejected');
    expect(rejected).toContain(day.refused.number);
    expect(rejected).not.toMatch(new RegExp(`${day.registered.number} `));
    expect(await list('?environment=test')).toContain('No invoice fits.');
    expect(await list('?text=montaje')).toContain(day.flagged.number);
    expect(await list('?state=nonsense')).toContain(day.registered.number);
  });

  test('an invoice shows its family, its records and its document', async () => {
    const { id } = day.registered;
    const recipient = { name: 'García Pérez Ana', taxId: '12345678Z', line1: 'Calle Mayor 1' };
    const address = { postalCode: '28001', city: 'Madrid', country: 'ES' };
    const { location } = await ada.post(`/console/invoices/${id}/exchange`, {
      ...{ ...recipient, ...address },
      reason: 'asked for',
    });
    const exchange = await read(location!);
    expect(exchange).toContain('Exchange invoice (F3)');
    expect(exchange).toMatch(new RegExp(`In exchange for ${day.registered.number}`));
    const { text } = await ada.get(`/console/invoices/${id}`);
    expect(text).toContain(`href="${location}"`);
    const pdf = /href="http:\/\/lacre\.test(\/v1\/invoices\/[^"]+)">PDF</.exec(text)?.[1] ?? '';
    const file = await ada.get(pdf.replaceAll('&amp;', '&'));
    expect(file.headers.get('content-type')).toBe('application/pdf');
  });

  test.each(['/companies/co_nobody', '/companies/x/invoices', '/invoices/x', '/records/x', '/chains/0'])(
    'of an unknown object is an error page: %s',
    async (path) => {
      const { status, text } = await ada.get(`/console${path}`);
      expect([status, text.includes('Not found')]).toEqual([404, true]);
    },
  );
});

test('ids from a log or a merchant are found, and companies by any other text', async () => {
  const { id, number } = day.registered;
  const found = (text: string) => read(`/console/find?text=${encodeURIComponent(text)}`);
  expect(await found(` ${id} `)).toContain(`${number} `);
  expect(await found(await unsent.recordOf(id))).toContain('Checks');
  expect(await found(unsent.company.companyId)).toContain('Talleres de Guardia SL');
  expect(await found(`chain ${unsent.chainId}`)).toContain(`Chain ${unsent.chainId}`);
  expect(await found('guardia')).toContain('Talleres de Guardia SL');
  expect(await found('')).toContain('The number or the id of an invoice');
  expect((await ada.get('/console/find?text=inv_nobody')).status).toBe(404);
});

test('no text becomes markup', async () => {
  const hostile = await anUnsentCompany(service, HOSTILE.replace('\u202e', '').trim());
  const { id } = await hostile.issue({
    ...aCompleteInvoice(),
    line_items: [aLine({ description: HOSTILE.replace('\u202e', '').trim() })],
  });
  const paths = [
    '/companies',
    `/companies/${hostile.company.companyId}`,
    `/companies/${hostile.company.companyId}/invoices`,
    `/invoices/${id}`,
    `/invoices/${id}/void`,
    `/records/${await hostile.recordOf(id)}`,
    `/chains/${hostile.chainId}`,
    `/failures?code=${encodeURIComponent(HOSTILE)}`,
    `/companies?text=${encodeURIComponent('<img src=x>')}`,
    `/find?text=${encodeURIComponent(HOSTILE)}`,
  ];
  for (const path of paths) {
    const { text } = await ada.get(`/console${path}`);
    expect(text, path).not.toContain('<img');
    expect(text.replace(LIVE_SCRIPT.markup, ''), path).not.toMatch(/<script|\son\w+="/);
  }
});
