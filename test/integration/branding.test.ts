import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isRefusal } from '../../src/ground/errors/refusal.ts';
import { documentFor } from '../../src/subjects/documents/document.ts';
import { jpegLogo, pngLogo, svgLogo } from '../support/documents/logos.ts';
import * as tools from '../support/documents/pdf-tools.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { createCompany } from '../support/invoices/company.ts';
import { codeOf, issueWith, operatorOf } from '../support/invoices/corrections.ts';
import { aSimplifiedInvoice } from '../support/invoices/invoices.ts';

const canRead = tools.haveTools('pdftotext', 'pdftoppm', 'zbarimg');
const LOOK = 'language accentColour textColour logo { type width height content }';
const SET = `mutation ($input: SetCompanyBrandingInput!) { look: setCompanyBranding(input: $input) { ${LOOK} } }`;
const READ = `query ($companyId: ID, $environment: Environment) {
  look: companyBranding(companyId: $companyId, environment: $environment) { ${LOOK} } }`;

/** Fair in all its parts, but dashes without gaps are more than PDF's writer takes. */
const UNDRAWABLE =
  '<svg viewBox="0 0 40 20"><g stroke-dasharray="1 0"><circle r="9" stroke="#123456"/></g></svg>';

const EXPANDING_SVG = `<svg viewBox="0 0 40 20">${'<g opacity=".5"><path d="M0 0h9v9z"/></g>'.repeat(990)}</svg>`;

let service: TestService;
let operator: Awaited<ReturnType<typeof operatorOf>>;
let companyId: string;

beforeAll(async () => {
  service = await testService();
  operator = await operatorOf(service);
  ({ companyId } = service.company);
});
afterAll(() => service.close());

const setBranding = (input: object) =>
  operator.execute(SET, { input: { companyId, environment: 'test', reason: 'Marca nueva', ...input } });
const read = (of: object = {}) => operator.execute(READ, { companyId, environment: 'test', ...of });
const base64 = (bytes: Buffer | string) => Buffer.from(bytes).toString('base64');

async function documentOf(invoiceId: string): Promise<Buffer> {
  const file = await documentFor(service.services, service.company.test.environmentId, invoiceId);
  if (isRefusal(file)) throw new Error(file.detail);
  return file.bytes;
}

const textOf = async (invoiceId: string) => tools.textOf(await documentOf(invoiceId));
const issue = () => issueWith(service, aSimplifiedInvoice(), 'test');

describe('the look of an environment', () => {
  test('is the default until an operator sets it, part by part; null resets it', async () => {
    const ours = { language: 'es', accentColour: null, textColour: '#17365C', logo: null };
    expect((await read()).data.look).toEqual(ours);
    const { look: branding } = (await setBranding({ language: 'ca', accentColour: '#ffc400' })).data;
    expect(branding).toMatchObject({ language: 'ca', accentColour: '#FFC400', logo: null });
    expect(branding.textColour).not.toBe('#FFC400');
    for (const [type, bytes] of [
      ['png', pngLogo],
      ['jpeg', jpegLogo],
      ['svg', svgLogo],
    ] as const) {
      const set = (await setBranding({ logo: { type, content: base64(bytes) } })).data.look;
      expect(set).toMatchObject({ language: 'ca', accentColour: '#FFC400', logo: { type } });
      expect((await read()).data.look).toEqual(set);
    }
    expect((await setBranding({ language: 'es', accentColour: null, logo: null })).data.look).toEqual(ours);
  });

  test('is set with a reason, which the log keeps; the picture itself is not written there', async () => {
    await setBranding({ language: 'gl', logo: { type: 'png', content: base64(pngLogo) } });
    const { rows } = await service.db.pool.query(
      "select actor, subject, reason, details from audit_entry where action = 'set_company_look' order by at desc, id desc limit 1",
    );
    expect(rows[0]).toMatchObject({
      actor: operator.id,
      subject: `${service.company.test.environmentId}`,
      reason: 'Marca nueva',
      details: { language: 'gl', logo: { type: 'png', bytes: expect.any(Number) } },
    });
    await setBranding({ language: 'es', logo: null });
  });

  test('of one company is not that of another, whose keys neither see nor set it', async () => {
    const other = await createCompany(service.db);
    await setBranding({ language: 'eu' });
    expect((await read({ companyId: other.companyId })).data.look.language).toBe('es');
    const input = { companyId: other.companyId, language: 'en', reason: 'x' };
    expect(codeOf((await service.graphql(SET, { input })).body)).toBe('forbidden');
    expect(codeOf((await service.graphql(READ, { companyId: other.companyId })).body)).toBe('forbidden');
    expect((await read()).data.look.language).toBe('eu');
    await setBranding({ language: 'es' });
  });

  test('of one environment is not that of the other, whose keys neither see nor set it', async () => {
    const { test: own, live } = service.company;
    const set = async (key: string, input: object) =>
      (await service.graphql(SET, { input: { reason: 'x', ...input } }, { key })).body;
    const of = async (key: string) => (await service.graphql(READ, {}, { key })).body.data.look;
    const before = await of(live.key);
    expect((await set(own.key, { language: 'eu', accentColour: '#112233' })).data.look.language).toBe('eu');
    expect(await of(live.key)).toEqual(before);
    expect(await read({ environment: 'live' })).toMatchObject({ data: { look: before } });
    expect((await set(live.key, { companyId, environment: 'live', language: 'gl' })).errors).toBeUndefined();
    expect(await of(own.key)).toMatchObject({ language: 'eu', accentColour: '#112233' });
    for (const input of [{ environment: 'live' }, { companyId, environment: 'live' }]) {
      expect(codeOf(await set(own.key, { ...input, language: 'en' }))).toBe('forbidden');
      expect(codeOf((await service.graphql(READ, input, { key: own.key })).body)).toBe('forbidden');
    }
    expect((await of(live.key)).language).toBe('gl');
    await set(live.key, { language: 'es' });
    await set(own.key, { language: 'es', accentColour: null });
  });

  test('is of an environment that operators name; without one the request is invalid', async () => {
    const body = await operator.execute(SET, { input: { companyId, language: 'en', reason: 'x' } });
    expect(body.errors[0].extensions.errors).toEqual([
      expect.objectContaining({ field: 'input.environment', code: 'required' }),
    ]);
    expect(codeOf(await operator.execute(READ, { companyId }))).toBe('invalid_request');
  });

  test.each([
    ['a logo that lies', { logo: { type: 'png', content: base64(jpegLogo) } }, 'logo.content', 'wrong_type'],
    [
      'a logo with a program',
      { logo: { type: 'svg', content: base64('<svg><script/></svg>') } },
      'logo.content',
      'forbidden',
    ],
    [
      'a logo that nobody can draw',
      { logo: { type: 'svg', content: base64(UNDRAWABLE) } },
      'logo.content',
      'broken',
    ],
    [
      'a logo that would swell every document',
      { logo: { type: 'svg', content: base64(EXPANDING_SVG) } },
      'logo.content',
      'too_big',
    ],
    ['a logo that is no base64', { logo: { type: 'png', content: 'ñ' } }, 'logo.content', 'invalid_value'],
    ['a colour that is none', { accentColour: 'red' }, 'accentColour', 'invalid_format'],
    ['a company that there is not', { companyId: 'co_nobody' }, 'companyId', 'not_found'],
    ['no reason', { reason: ' ' }, 'reason', 'too_small'],
  ])('refuses %s, and stays as it is', async (_what, input, field, code) => {
    const before = await polls();
    const body = await setBranding(input);
    expect(codeOf(body)).toBe('invalid_request');
    expect(body.errors[0].extensions.errors).toEqual([
      expect.objectContaining({ field: `input.${field}`, code }),
    ]);
    expect(await polls()).toBe(before);
  });

  test('can be seen before customers see it: a test document of the company', async () => {
    await setBranding({ language: 'en' });
    const { data } = await operator.execute(
      'query ($id: ID!) { sample: companyBrandingSample(companyId: $id, environment: test) }',
      { id: companyId },
    );
    const text = tools.textOf(Buffer.from(data.sample, 'base64'));
    expect(text).toContain('DOCUMENTO DE PRUEBA SIN VALIDEZ FISCAL');
    expect(text).toMatch(/Invoice +Factura/);
    expect(text).not.toContain('VERI*FACTU');
    await setBranding({ language: 'es' });
  });

  test('takes the largest logo within the limit of a request', async () => {
    const body = await setBranding({ logo: { type: 'png', content: base64(Buffer.alloc(256 * 1024)) } });
    expect(body.errors[0].extensions.errors[0].code).toBe('wrong_type');
  });
});

async function polls(): Promise<number> {
  const { rows } = await service.db.pool.query('select count(*)::int as count from branding');
  return rows[0].count;
}

describe.skipIf(!canRead)('a document', () => {
  test('keeps the look that it was rendered with, also when it is lost and made again', async () => {
    const before = await issue();
    await setBranding({
      language: 'en',
      accentColour: '#0A6847',
      logo: { type: 'svg', content: base64(svgLogo) },
    });
    const during = await issue();
    const english = await documentOf(during.id);
    expect(tools.textOf(english)).toContain('Simplified invoice');
    expect(tools.codesOf(english)).toHaveLength(1);
    await setBranding({ language: 'ca', accentColour: null, logo: null });
    expect(await documentOf(during.id)).toEqual(english);
    await service.db.pool.query("update invoice_document set bytes = '\\x00' where invoice_id = $1", [
      during.id,
    ]);
    expect(await documentOf(during.id)).toEqual(english);
    // What had not been rendered takes the look of the day on which it is.
    expect(await textOf(before.id)).toContain('Data d’expedició');
    await setBranding({ language: 'es' });
  });

  test('of live shows nothing that a test key has set', async () => {
    const key = { key: service.company.live.key };
    const { body } = await service.call('POST', '/v1/invoices', { ...key, body: aSimplifiedInvoice() });
    const { token } = (
      await service.call('POST', '/v1/access_tokens', { body: { scopes: ['manage'], ttl_seconds: 900 } })
    ).body;
    const logo = { type: 'svg', content: base64(svgLogo) };
    const input = { language: 'en', accentColour: '#0A6847', logo, reason: 'x' };
    expect((await service.graphql(SET, { input }, { key: token })).body.errors).toBeUndefined();
    const file = await documentFor(service.services, service.company.live.environmentId, body.id);
    if (isRefusal(file)) throw new Error(file.detail);
    expect(tools.textOf(file.bytes)).toContain('Factura simplificada');
    const { rows } = await service.owner.query(
      'select look_id from invoice_document where invoice_id = $1 and look_id is not null',
      [body.id],
    );
    const { rows: live } = await service.owner.query(
      'select max(id) as id from branding where environment_id = $1',
      [service.company.live.environmentId],
    );
    expect(rows).toEqual([{ look_id: live[0].id }]);
    expect(await textOf((await issue()).id)).toContain('Simplified invoice');
    await setBranding({ language: 'es', accentColour: null, logo: null });
  });

  test('of a voided invoice is marked as voided; the one that was issued is kept beside it', async () => {
    const { id } = await issue();
    const issued = await documentOf(id);
    expect(codeOf(await operator.voidInvoice(id))).toBeNull();
    const voided = await documentOf(id);
    expect(tools.textOf(voided)).toMatch(/FACTURA ANULADA EL \d\d\/\d\d\/\d{4}/);
    expect(await documentOf(id)).toEqual(voided);
    expect(await kept(id)).toEqual([
      { edition: 'issued', state: 'stored', bytes: issued },
      { edition: 'voided', state: 'stored', bytes: voided },
    ]);
  });

  test('of an invoice that was voided before it was rendered is the marked one only; none is pending', async () => {
    const { id } = await issue();
    expect(codeOf(await operator.voidInvoice(id))).toBeNull();
    const voided = await documentOf(id);
    expect(tools.textOf(voided)).toContain('FACTURA ANULADA');
    expect(await kept(id)).toEqual([{ edition: 'voided', state: 'stored', bytes: voided }]);
  });
});

async function kept(invoiceId: string): Promise<unknown[]> {
  const { rows } = await service.db.pool.query(
    'select edition, state, bytes from invoice_document where invoice_id = $1 order by edition',
    [invoiceId],
  );
  return rows;
}
