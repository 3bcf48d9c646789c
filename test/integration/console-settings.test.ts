import { rmSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newAuthority, representative } from '../support/agency/certificates.ts';
import { companyNif } from '../support/agency/registration.ts';
import { newDataDir, testSimulator } from '../support/agency/simulator.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import type { Visitor } from '../support/http/visitor.ts';
import { createCompany, type TestCompany } from '../support/invoices/company.ts';
import { anOperator, anonymousVisitor, operatorIn, type TestOperator } from '../support/pages/console.ts';

const REASON = 'The merchant wants it so';

const authority = newAuthority();
const dataDir = newDataDir();
const logged: string[] = [];
let service: TestService;
let operator: TestOperator;
let ada: Visitor;
let nif: string;
let company: TestCompany;
let own: string;
let companies = 7_000;
beforeAll(async () => {
  authority.equip(dataDir);
  const simulator = await testSimulator({ dataDir });
  const variables = { CERTIFICATE_KEYS: `first:${Buffer.alloc(32, 1).toString('base64')}` };
  service = await testService(variables, { simulator, logged });
  operator = await anOperator(service);
  ada = await operatorIn(service, operator);
});
beforeEach(async () => {
  companies += 1;
  nif = companyNif(companies);
  company = await createCompany(service.db, { nif, legalName: `Empresa ${companies} SL` });
  own = `/console/companies/${company.companyId}`;
});
afterAll(async () => {
  await service?.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const lastAction = async () => {
  const { rows } = await service.db.pool.query(
    'select action, actor, reason from audit_entry order by at desc, id desc limit 1',
  );
  return rows[0];
};
const acts = async (): Promise<number> => {
  const { rows } = await service.db.pool.query('select count(*)::int as n from audit_entry');
  return rows[0].n;
};

/** Sends a form with a file as a browser does. */
async function postFile(visitor: Visitor, path: string, fields: Record<string, string | Blob>) {
  const form = new FormData();
  form.set('token', await visitor.token());
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const headers = { cookie };
  const response = await fetch(visitor.origin + path, {
    method: 'POST',
    redirect: 'manual',
    headers,
    body: form,
  });
  for (const line of response.headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    visitor.cookies.set(name, value);
  }
  return { status: response.status, text: await response.text(), location: response.headers.get('location') };
}

type Case = {
  readonly name: string;
  readonly at: () => Promise<string> | string;
  readonly fields?: () => Record<string, string>;
  readonly action: string;
  readonly shows: string;
};

const seriesNamed = async (prefix: string): Promise<string> => {
  const series = { prefix, type: 'standard', yearly: 'yes', reason: 'x' };
  await ada.post(`${own}/series/new?environment=live`, series);
  const { rows } = await service.db.pool.query(
    'select id from number_series where environment_id = $1 and prefix = $2',
    [company.live.environmentId, prefix],
  );
  return rows[0].id;
};

const cases: readonly Case[] = [
  {
    name: 'a new company',
    at: () => '/console/companies/new',
    fields: () => ({
      ...{ legalName: 'Recién Nacida SL', nif: companyNif(companies + 1_000), line1: 'Calle Mayor 1' },
      ...{ postalCode: '28001', city: 'Madrid', country: 'es' },
    }),
    action: 'create_company',
    shows: 'Recién Nacida SL was created.',
  },
  {
    name: 'what a company may do',
    at: () => `${own}/flags`,
    fields: () => ({ mandateApproved: 'yes' }),
    action: 'set_company_flags',
    shows: 'No',
  },
  {
    name: 'a tax',
    at: () => `${own}/taxes/es_exempt`,
    fields: () => ({
      ...{ label: 'Exento por enseñanza', agencyTax: 'vat', operationClass: '', exemption: 'E1' },
      ...{ regimeKey: '01', legalMention: 'Exenta (art. 20.Uno.9.º LIVA)' },
    }),
    action: 'set_tax_catalog_row',
    shows: 'Exento por enseñanza',
  },
  {
    name: 'a tax taken out',
    at: () => `${own}/taxes/igic/remove`,
    action: 'remove_tax_catalog_row',
    shows: 'Add igic…',
  },
  {
    name: 'how e-mail is sent',
    at: () => `${own}/email/change?environment=live`,
    fields: () => ({ reminderDays: '10, 3' }),
    action: 'set_email_settings',
    shows: '3, 10 days after the due date',
  },
  {
    name: 'a new series',
    at: () => `${own}/series/new?environment=live`,
    fields: () => ({ prefix: 'TIENDA', type: 'standard', yearly: 'yes' }),
    action: 'create_number_series',
    shows: 'TIENDA',
  },
  {
    name: 'another default series',
    at: async () => `${own}/series/${await seriesNamed('OTRA')}/default?environment=live`,
    action: 'set_default_number_series',
    shows: 'OTRA',
  },
  {
    name: 'a series deleted',
    at: async () => `${own}/series/${await seriesNamed('VIEJA')}/delete?environment=live`,
    action: 'delete_number_series',
    shows: 'The series is deleted.',
  },
  {
    name: 'a new integration',
    at: () => `${own}/integrations/new?environment=test`,
    fields: () => ({ name: 'Tienda en línea' }),
    action: 'create_integration',
    shows: 'Tienda en línea',
  },
];

describe.each(cases)('$name', ({ at, fields = () => ({}), action, shows }) => {
  test('is requested, done with its reason, and shown', async () => {
    const path = await at();
    expect((await ada.get(path)).status).toBe(200);
    const done = await ada.post(path, { ...fields(), reason: REASON });
    expect([done.status, done.text]).toEqual([303, '']);
    expect((await ada.get(done.location!)).text).toContain(shows);
    const act = await lastAction();
    expect({ actor: act.actor, reason: act.reason }).toEqual({ actor: operator.id, reason: REASON });
    expect(act.action).toContain(action.split('_').at(-1));
  });

  test('is refused without a reason or the token', async () => {
    const path = await at();
    const before = await acts();
    const answer = await ada.post(path, { ...fields(), reason: ' ' });
    expect([answer.status, answer.text.includes('Reason is required.')]).toEqual([400, true]);
    expect((await ada.post(path, { ...fields(), reason: REASON, token: 'x' })).status).toBe(403);
    expect(await acts()).toBe(before);
  });
});

test.each([
  [
    'a tax that the agency would reject',
    '/taxes/vat',
    { label: 'IVA', agencyTax: 'vat', exemption: 'E1', operationClass: 'S1' },
  ],
  ['a series that is taken', '/series/new?environment=live', { prefix: 'F', type: 'standard' }],
  ['a malformed series', '/series/new?environment=live', { prefix: "'<>", type: 'standard' }],
  ['an integration without a name', '/integrations/new', { name: '' }],
])('%s is refused with what is wrong, and nothing is changed', async (_what, path, fields) => {
  const before = await acts();
  const answer = await ada.post(`${own}${path}`, { ...fields, reason: REASON });
  expect(answer.status).toBeGreaterThanOrEqual(400);
  expect(answer.text).toMatch(/<div class="card trouble" role="alert"/);
  expect(await acts()).toBe(before);
});

test('a job that has failed is shown with its error, and runs again on request', async () => {
  const { rows } = await service.db.pool.query(
    `select id from graphile_worker.add_job('render_pdf', '{}'::json, max_attempts => 1)`,
  );
  const id = String(rows[0].id);
  const fail =
    "update graphile_worker._private_jobs set attempts = 1, last_error = 'Error: <b>no</b>' where id = $1";
  await service.db.pool.query(fail, [id]);
  const page = await ada.get('/console/jobs');
  expect(page.text).toContain('<span class="badge rejected">Failed</span>');
  expect(page.text).toContain('Error: &lt;b&gt;no&lt;/b&gt;');
  expect((await ada.get(`/console/jobs/${id}/retry`)).status).toBe(200);
  expect((await ada.post(`/console/jobs/${id}/retry`, { reason: '' })).status).toBe(400);
  expect((await ada.post(`/console/jobs/${id}/retry`, { reason: REASON })).location).toBe('/console/jobs');
  expect(await lastAction()).toMatchObject({ reason: REASON, actor: operator.id });
  expect((await ada.get('/console/jobs/0/retry')).status).toBe(404);
});

describe('keys', () => {
  test('are shown on the page that answers their making, and nowhere else', async () => {
    const made = await ada.post(`${own}/keys/new`, {
      ...{ name: 'shop', environment: 'test', 'scope-read': 'yes', 'scope-manage': 'yes' },
      ...{ expiresAt: '2099-01-31', reason: REASON },
    });
    expect(made.status).toBe(200);
    const key = /<code class="secret">(sk_test_[\w-]{43})<\/code>/.exec(made.text)?.[1] ?? '';
    expect(made.headers.get('cache-control')).toBe('no-store');
    expect((await service.call('GET', '/v1/number_series', { key })).status).toBe(200);
    const page = await ada.get(`${own}/keys`);
    expect(page.text).toContain(key.slice(0, 14));
    expect(page.text).toContain('read, manage');
    expect(page.text).toMatch(/In force<\/span> until <time [^>]*>31 Jan 2099/);
    expect(page.text).not.toContain(key);
    expect(logged.join()).not.toContain(key);
    const { rows } = await service.db.pool.query(
      "select id from api_key where name = 'shop' order by created_at desc",
    );
    const revoked = await ada.post(`/console/keys/${rows[0].id}/revoke`, { reason: REASON });
    expect(revoked.location).toBe(`${own}/keys`);
    expect((await service.call('GET', '/v1/number_series', { key })).status).toBe(401);
  });

  test('are not made with no scope, nor with an expiry that is no day or over', async () => {
    const make = (entries: Record<string, string>) =>
      ada.post(`${own}/keys/new`, { name: 'x', environment: 'test', reason: REASON, ...entries });
    const { rows: before } = await service.db.pool.query('select count(*) from api_key');
    for (const entries of [
      {},
      { 'scope-read': 'yes', expiresAt: 'tomorrow' },
      { 'scope-read': 'yes', expiresAt: '2020-01-31' },
    ] as Record<string, string>[]) {
      expect((await make(entries)).status).toBe(400);
    }
    const { rows: after } = await service.db.pool.query('select count(*) from api_key');
    expect(after).toEqual(before);
  });

  test('of operators let in, and throw out when they are revoked', async () => {
    const made = await ada.post('/console/keys/new', { name: 'Grace', role: 'viewer', reason: REASON });
    const key = /<code class="secret">(op_[\w-]{43})<\/code>/.exec(made.text)?.[1] ?? '';
    const grace = anonymousVisitor(service);
    expect((await grace.post('/console/login', { key })).status).toBe(303);
    const refused = await grace.post('/console/keys/new', { name: 'x', role: 'admin', reason: REASON });
    expect(refused.status).toBe(403);
    expect(refused.text).toContain('the role `admin`; this one has `viewer`');
    const { rows } = await service.db.pool.query("select id from operator_key where name = 'Grace'");
    await ada.post(`/console/keys/${rows[0].id}/revoke`, { reason: REASON });
    expect((await grace.get('/console')).status).toBe(401);
  });
});

describe('certificates', () => {
  const issued = () => authority.issue({ subject: representative(nif) }).p12('geheim-ñ');
  const kept = async () => {
    const { rows } = await service.db.pool.query(
      'select id, active from client_certificate where company_id = $1 order by uploaded_at',
      [company.companyId],
    );
    return rows;
  };

  test('are uploaded as files, used, and destroyed', async () => {
    const upload = () =>
      postFile(ada, `${own}/certificates/new`, {
        pkcs12Base64: new Blob([new Uint8Array(issued())]),
        ...{ pem: '', password: 'geheim-ñ', kind: '', reason: REASON },
      });
    expect(await upload()).toMatchObject({ status: 303, location: `${own}/certificates` });
    const page = await ada.get(`${own}/certificates`);
    expect(page.text).toContain('ÑANDÚ TALLERES SL');
    expect(page.text).toContain('In use');
    expect(page.text).toMatch(/data-label="Days left">36\d</);
    expect(page.text).not.toContain('geheim');
    await upload();
    const [first, second] = await kept();
    expect([first.active, second.active]).toEqual([false, true]);
    await ada.post(`/console/certificates/${first.id}/activate`, { reason: REASON });
    expect((await kept()).map(({ active }) => active)).toEqual([true, false]);
    await ada.post(`/console/certificates/${second.id}/remove`, { reason: REASON });
    expect(await kept()).toHaveLength(1);
    expect(await lastAction()).toMatchObject({ action: 'remove_certificate', reason: REASON });
  });

  test.each([
    ['with the wrong password', 'password', () => issued(), 'wrong'],
    ['that is none', 'pkcs12Base64', () => Buffer.from('no certificate'), ''],
  ])(
    '%s are refused beside the field, and the password is not shown again',
    async (_what, field, file, password) => {
      const answer = await postFile(ada, `${own}/certificates/new`, {
        pkcs12Base64: new Blob([new Uint8Array(file())]),
        ...{ password, reason: REASON },
      });
      expect(answer.status).toBe(400);
      expect(answer.text).toContain(`id="${field}-fault"`);
      expect(answer.text).not.toContain('value="wrong"');
      expect(await kept()).toEqual([]);
    },
  );

  test('that are too large, or broken forms, are not read', async () => {
    const path = `${own}/certificates/new`;
    const large = { pkcs12Base64: new Blob([new Uint8Array(600_000)]), reason: REASON };
    const type = 'multipart/form-data; boundary=x';
    expect((await postFile(ada, path, large)).status).toBe(413);
    expect((await ada.request('POST', path, 'no form at all', type)).status).toBe(400);
    expect(await kept()).toEqual([]);
  });
});

describe('the look of documents', () => {
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
  const change = (fields: Record<string, string | Blob>) =>
    postFile(ada, `${own}/look/change`, { language: 'es', accentColour: '', ...fields, reason: REASON });

  test('takes language, colour and logo', async () => {
    const logo = new Blob([new Uint8Array(png)]);
    expect((await change({ language: 'ca', accentColour: '#8a1c28', logo })).status).toBe(303);
    const page = await ada.get(`${own}/look`);
    expect(page.text).toContain('Català');
    expect(page.text).toContain('#8A1C28');
    expect(page.text).toContain('PNG, 1 × 1');
    expect((await change({ withoutLogo: 'yes' })).status).toBe(303);
    expect((await ada.get(`${own}/look`)).text).toContain('>none<');
  });

  test('refuses an invalid colour, and a logo whose content is not of its declared type', async () => {
    const before = await acts();
    const colour = await change({ accentColour: 'red' });
    expect([colour.status, colour.text.includes('id="accentColour-fault"')]).toEqual([400, true]);
    const mislabelled = new Blob([new Uint8Array(Buffer.concat([png.subarray(0, 20), Buffer.alloc(80, 1)]))]);
    const logo = await change({ logo: mislabelled });
    expect([logo.status, logo.text.includes('id="logo-fault"')]).toEqual([400, true]);
    expect(await acts()).toBe(before);
  });
});

test('the audit log shows who did what to what and why, page by page', async () => {
  for (let n = 0; n < 51; n += 1) {
    await service.db.pool.query(
      `insert into audit_entry (id, actor, action, subject, reason, at)
       values ($1, $2, 'void_invoice', 'inv_0123456789abcdef', $3, now() - interval '1 year')`,
      [`aud_old${n}`, operator.id, `<i>reason ${n}</i>`],
    );
  }
  await ada.post(`/console/chains/${company.live.chainId}/pause`, { reason: REASON });
  const first = await ada.get('/console/audit-log');
  expect(first.text).toContain(REASON);
  expect(first.text).toContain('Ada Lovelace');
  expect(first.text).toContain(`href="/console/chains/${company.live.chainId}"`);
  let { text } = first;
  for (;;) {
    const next = /href="([^"]+)">More/.exec(text)?.[1];
    if (next === undefined) break;
    ({ text } = await ada.get(next));
  }
  expect(text).toContain('&lt;i&gt;reason');
  expect(text).toContain('href="/console/invoices/inv_0123456789abcdef"');
  expect((await ada.get('/console/audit-log?after=aud_nobody')).status).toBe(404);
});

test('the declaration in force is shown, and every earlier one', async () => {
  const text = 'TÍTULO ANTERIOR\n\na) Nombre: Lacre\n';
  await service.db.pool.query(
    `insert into software_declaration (version, sha256, text, first_run_at)
     values ('0.0.9', repeat('b', 64), $1, '2026-01-01')`,
    [text],
  );
  const page = await ada.get('/console/declaration');
  expect(page.text).toContain('DECLARACIÓN RESPONSABLE DEL SISTEMA INFORMÁTICO DE FACTURACIÓN');
  expect(page.text).toContain('in force');
  expect(page.text).toContain('0.0.9');
  const old = await ada.get(`/console/declaration?sha256=${'b'.repeat(64)}`);
  expect(old.text).toContain('TÍTULO ANTERIOR');
  expect(old.text).toContain('no longer in force');
  expect((await ada.get('/console/declaration?sha256=x')).status).toBe(404);
});
