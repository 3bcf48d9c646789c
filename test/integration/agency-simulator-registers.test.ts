import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { alta, anulacion, type Built, today } from '../support/agency/declared-records.ts';
import { type Reply, type TestSimulator, testSimulator, textOf } from '../support/agency/simulator.ts';

let simulator: TestSimulator;
beforeAll(async () => {
  simulator = await testSimulator();
});
afterAll(() => simulator.stop());

const SOAP = 'http://schemas.xmlsoap.org/soap/envelope/';
const wrap = (content: string) => `<s:Envelope xmlns:s="${SOAP}"><s:Body>${content}</s:Body></s:Envelope>`;

describe('the census', () => {
  const NAMESPACE =
    'http://www2.agenciatributaria.gob.es/static_files/common/internet/dep/aplicaciones/es/aeat/burt/jdit/ws/VNifV2Ent.xsd';
  const queryCensus = (...people: [nif: string, name: string][]): Promise<Reply> =>
    simulator.postCensus(
      wrap(
        `<v:VNifV2Ent xmlns:v="${NAMESPACE}">${people
          .map(
            ([nif, name]) =>
              `<v:Contribuyente><v:Nif>${nif}</v:Nif><v:Nombre>${name}</v:Nombre></v:Contribuyente>`,
          )
          .join('')}</v:VNifV2Ent>`,
      ),
    );

  test.each([
    ['A39200019', 'Cualquiera SL', 'IDENTIFICADO'],
    ['12345678Z', 'ESPAÑOL ESPAÑOL JUAN', 'IDENTIFICADO'],
    ['12345678A', 'ESPAÑOL ESPAÑOL JUAN', 'NO IDENTIFICADO'],
    ['A39200019', ' no  censado sl ', 'NO IDENTIFICADO'],
    ['A39200019', 'REVOCADO SL', 'IDENTIFICADO-REVOCADO'],
    ['A39200019', 'BAJA SL', 'IDENTIFICADO-BAJA'],
    ['A39200019', 'SIMILAR SL', 'NO IDENTIFICADO-SIMILAR'],
    ['12345678Z', 'similar García López Ana', 'NO IDENTIFICADO-SIMILAR'],
    ['A39200019', 'NO PROCESADO SL', 'NO PROCESADO'],
  ])('answers %s %s with %s', async (nif, name, result) => {
    const { status, text } = await queryCensus([nif, name]);
    expect([status, textOf(text, 'Resultado'), textOf(text, 'Nif')]).toEqual([200, result, nif]);
  });

  test('answers for each of many', async () => {
    const { text } = await queryCensus(['A39200019', 'UNO &amp; OTRO'], ['12345678A', 'DOS']);
    expect([...text.matchAll(/<\w+:Resultado>([^<]*)</g)].map(([, result]) => result)).toEqual([
      'IDENTIFICADO',
      'NO IDENTIFICADO',
    ]);
    expect(textOf(text, 'Nombre')).toBe('UNO &amp; OTRO');
  });

  test('answers a similar name with its own spelling', async () => {
    const { text } = await queryCensus(['12345678Z', 'Similar  López Ana']);
    expect(textOf(text, 'Nombre')).toBe('LÓPEZ ANA');
  });

  test('does not answer when it is down', async () => {
    await expect(queryCensus(['A39200019', 'CENSO CAIDO SL'])).rejects.toThrow(/hang up|ECONNRESET/);
  });

  test.each([
    ['nobody', `<v:VNifV2Ent xmlns:v="${NAMESPACE}"/>`],
    [
      'another namespace',
      '<VNifV2Ent><Contribuyente><Nif>1</Nif><Nombre>x</Nombre></Contribuyente></VNifV2Ent>',
    ],
    [
      'a person without name',
      `<v:VNifV2Ent xmlns:v="${NAMESPACE}"><v:Contribuyente><v:Nif>1</v:Nif></v:Contribuyente></v:VNifV2Ent>`,
    ],
  ])('refuses %s', async (_, content) => {
    const { status, text } = await simulator.postCensus(wrap(content));
    expect([status, textOf(text, 'faultcode')]).toEqual([500, 'env:Client']);
  });
});

describe("the EU's VAT register", () => {
  const queryVies = async (country: string, number: string): Promise<Reply> => {
    const body = wrap(
      '<c:checkVat xmlns:c="urn:ec.europa.eu:taxud:vies:services:checkVat:types">' +
        `<c:countryCode>${country}</c:countryCode><c:vatNumber>${number}</c:vatNumber></c:checkVat>`,
    );
    const path = '/taxation_customs/vies/services/checkVatService';
    const response = await fetch(simulator.url + path, { method: 'POST', body });
    return { status: response.status, text: await response.text() };
  };

  test.each([
    ['DE', '123456789', 'true'],
    ['EL', '123456789', 'true'],
    ['XI', '123456789', 'true'],
    ['DE', '123456200', 'false'],
    ['DE', '12345678', 'false'],
  ])('says of %s%s: %s', async (country, number, valid) => {
    const { status, text } = await queryVies(country, number);
    expect([status, textOf(text, 'valid'), textOf(text, 'vatNumber')]).toEqual([200, valid, number]);
    expect(textOf(text, 'requestDate')).toMatch(/^\d{4}-\d{2}-\d{2}\+0[12]:00$/);
  });

  test.each([
    ['DE', '123456300', 'MS_UNAVAILABLE'],
    ['US', '123456789', 'INVALID_INPUT'],
    ['GR', '123456789', 'INVALID_INPUT'],
    ['constructor', '123456789', 'INVALID_INPUT'],
    ['DE', '', 'INVALID_INPUT'],
  ])('has no answer for %s%s: %s', async (country, number, fault) => {
    const { status, text } = await queryVies(country, number);
    expect([status, textOf(text, 'faultstring')]).toEqual([500, fault]);
  });
});

describe('the check of a printed code', () => {
  const check = async (query: Record<string, string>) => {
    const response = await fetch(`${simulator.url}/wlpl/TIKE-CONT/ValidarQR?${new URLSearchParams(query)}`);
    return { response, text: await response.text() };
  };
  const json = async (query: Record<string, string>) =>
    JSON.parse((await check({ ...query, formato: 'json' })).text) as Record<string, unknown>;
  const code = { nif: 'B00000000', numserie: 'QR & 1', fecha: today(), importe: '121.00' };
  let record: Built;

  beforeAll(async () => {
    record = alta({ number: 'QR &amp; 1', total: '121.00' });
    expect((await simulator.submit([record]))[0]?.state).toBe('Correcto');
  });

  test('finds what was registered, however its amount is written', async () => {
    const { response, text } = await check(code);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(text).toContain('Factura encontrada');
    expect(text).toContain('SIMULADOR');
    expect(text).toContain('name="viewport"');
    expect(text).toContain('QR &amp; 1');
    expect(await json({ ...code, importe: '121' })).toEqual({
      ...{ status: 'OK', mensaje: 'Encontrada', visible: 'N', crashlytics: 'N' },
      respuesta: { resultado: '00', nif: 'B00000000', numserie: 'QR & 1', fecha: today(), importe: '121.00' },
    });
  });

  test.each([
    ['another amount', { importe: '121.01' }],
    ['another number', { numserie: 'QR & 2' }],
    ['another day', { fecha: '01-01-2025' }],
    ['another issuer', { nif: 'A39200019' }],
  ])('does not find it under %s', async (_, other) => {
    expect(await json({ ...code, ...other })).toMatchObject({ status: 'OK', respuesta: { resultado: '01' } });
    expect((await check({ ...code, ...other })).text).toContain('Factura no encontrada');
  });

  test('an unknown code is reported as unknown, with possible reasons', async () => {
    expect((await check({ ...code, numserie: 'TEST-1' })).text).toContain(
      'las facturas de un entorno de pruebas no se envían',
    );
  });

  test.each([
    ['nothing', {}, '1001.1002.1003.1004'],
    ['no day', { ...code, fecha: '' }, '1003'],
    ['a NIF that is none', { ...code, nif: '891K' }, '2001'],
    ['a long number', { ...code, numserie: 'F'.repeat(61) }, '2002'],
    ['a number with ñ', { ...code, numserie: 'ñ' }, '2003'],
    ['a number with =', { ...code, numserie: 'a=b' }, '2003'],
    ['a day the other way round', { ...code, fecha: '2026-07-01' }, '2004'],
    ['a comma', { ...code, importe: '7,2' }, '2005'],
    ['three decimals', { ...code, importe: '7.200' }, '2006'],
    ['thirteen digits', { ...code, importe: '1234567890123' }, '2006'],
  ])('asked with %s', async (_, query, error) => {
    expect(await json(query as Record<string, string>)).toMatchObject({ status: 'KO', codigo_error: error });
  });

  test('a hostile number remains text', async () => {
    const { text, response } = await check({ ...code, numserie: '<script>alert(1)</script>' });
    expect(text).not.toContain('<script>');
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
  });

  test('a cancelled invoice is not found any more', async () => {
    await simulator.submit([anulacion({ ...record.id, number: 'QR &amp; 1' })]);
    expect(await json(code)).toMatchObject({ respuesta: { resultado: '01' } });
  });
});

describe('what was received', () => {
  type Records = { total: number; records: Record<string, unknown>[]; next: string | null };
  const records = async (path: string) => (await (await fetch(simulator.url + path)).json()) as Records;

  test('is listed newest first, page by page, with the received bytes', async () => {
    const built = ['L-1', 'L-2', 'L-3'].map((number) => alta({ number, installation: number }));
    await simulator.submit(built);
    const first = await records('/records.json?limit=2');
    expect(first.records.map(({ number }) => number)).toEqual(['L-3', 'L-2']);
    expect(first.records[0]).toMatchObject({
      ...{ kind: 'alta', state: 'Correcto', link: 'first', fingerprint: built[2]!.id.fingerprint },
      ...{ previous_fingerprint: null, xml: built[2]!.xml, received_at: expect.stringMatching(/Z$/) },
    });
    const second = await records(first.next!);
    expect(second.records.map(({ number }) => number)[0]).toBe('L-1');
    expect((await records('/records.json?number=L-2')).records).toHaveLength(1);
    expect((await records('/records.json?state=Incorrecto')).records).toEqual([]);
  });

  test('is shown to people', async () => {
    const response = await fetch(simulator.url);
    const text = await response.text();
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ]);
    expect(text).toContain('<td>L-3</td>');
    expect(text).toContain('SIMULATOR');
  });

  test('more than a page of it', async () => {
    await simulator.submit(
      Array.from({ length: 60 }, (_, index) => alta({ number: `P-${index}`, description: 'x' })),
    );
    const older = /href="(\/\?before=\d+)">Older/.exec(await (await fetch(simulator.url)).text())?.[1];
    expect(await (await fetch(simulator.url + older)).text()).toContain('<td>P-9</td>');
  });

  test('is read-only', async () => {
    const response = await fetch(simulator.url, { method: 'POST', body: 'x' });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});
