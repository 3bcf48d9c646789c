import { request } from 'node:https';
import { connect } from 'node:tls';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { anulacion, chainOf, consulta, otherId, person, today } from '../support/agency/declared-records.ts';
import {
  agencySchemas,
  faultCode,
  type TestSimulator,
  testSimulator,
  textOf,
} from '../support/agency/simulator.ts';

let simulator: TestSimulator;

beforeAll(async () => {
  simulator = await testSimulator({ queryPageSize: 3 });
});

afterAll(() => simulator.stop());

/** Records of one test hang together and do not meet those of another. */
let series = 0;
let next: ReturnType<typeof chainOf>;
beforeEach(() => {
  series += 1;
  next = chainOf(`T${series}`);
});

async function found(filters: string, extras = ''): Promise<string> {
  const [, month = '', year = ''] = today().split('-');
  const { status, text } = await simulator.post(consulta(year, month, filters, extras));
  expect([status, status === 200 ? '' : text]).toEqual([200, '']);
  expect(agencySchemas()?.check('RespuestaConsultaLR', text) ?? []).toEqual([]);
  return text;
}

const numbersIn = (text: string) =>
  [...text.matchAll(/<tikLRRC:IDFactura>.*?<tik:NumSerieFactura>([^<]*)</g)].map(([, number]) => number);
const filter = (name: string, text: string) => `<con:${name}>${text}</con:${name}>`;

/** The filter of the computer system that made this test's records. */
const thisSystem = () =>
  '<con:SistemaInformatico><sf:NombreRazon>X</sf:NombreRazon><sf:NIF>B00000000</sf:NIF>' +
  `<sf:IdSistemaInformatico>P1</sf:IdSistemaInformatico><sf:NumeroInstalacion>T${series}</sf:NumeroInstalacion>` +
  '</con:SistemaInformatico>';

describe('the query', () => {
  test('finds by number, by reference, by recipient, by date and by system', async () => {
    const one = next('a&amp;1', { reference: `ref-${series}` });
    await simulator.submit([one, next('2', { recipients: person('OTRO', otherId('02', 'FR12345678901')) })]);
    const installation = thisSystem();
    const mine = (text: string) => numbersIn(text).filter((number) => number?.startsWith(`T${series}-`));
    expect(mine(await found(filter('NumSerieFactura', one.id.number)))).toEqual([one.id.number]);
    expect(mine(await found(filter('RefExterna', `ref-${series}`)))).toEqual([one.id.number]);
    const counterpart = `<sf:NombreRazon>OTRO</sf:NombreRazon>${otherId('02', 'FR12345678901')}`;
    expect(mine(await found(filter('Contraparte', counterpart)))).toEqual([`T${series}-2`]);
    expect(mine(await found(installation))).toEqual([one.id.number, `T${series}-2`]);
    const since = (day: string) =>
      `<sf:RangoFechaExpedicion><sf:Desde>${day}</sf:Desde></sf:RangoFechaExpedicion>`;
    expect(mine(await found(filter('FechaExpedicionFactura', since(today()))))).toHaveLength(2);
    expect(mine(await found(filter('FechaExpedicionFactura', since('31-12-2999'))))).toEqual([]);
    expect(textOf(await found(filter('NumSerieFactura', 'none')), 'ResultadoConsulta')).toBe('SinDatos');
  });

  test('returns what was sent, with fingerprint and presentation, and more on request', async () => {
    const one = next('1', { reference: 'r' });
    await simulator.submit([one]);
    const text = await found(filter('NumSerieFactura', one.id.number));
    expect(textOf(text, 'Huella')).toBe(one.id.fingerprint);
    expect(textOf(text, 'IdPeticion')).toMatch(/^\d{20}$/);
    expect(text).toContain('<tikLRRC:EstadoRegistro>Correcto</tikLRRC:EstadoRegistro>');
    expect(text).not.toContain('SistemaInformatico');
    const extras =
      '<con:DatosAdicionalesRespuesta><con:MostrarNombreRazonEmisor>S</con:MostrarNombreRazonEmisor>' +
      '<con:MostrarSistemaInformatico>S</con:MostrarSistemaInformatico></con:DatosAdicionalesRespuesta>';
    const more = await found(filter('NumSerieFactura', one.id.number), extras);
    expect(textOf(more, 'NombreRazonEmisor')).toBe('EMISORA DE PRUEBA SL');
    expect(textOf(more, 'NumeroInstalacion')).toBe(`T${series}`);
  });

  test('a cancellation is taken once, and a later amendment brings the invoice back', async () => {
    const first = next('1');
    const cancelled = anulacion(first.id);
    await simulator.submit([first, cancelled]);
    expect(await found(filter('NumSerieFactura', first.id.number))).toContain('>Anulado<');
    const withoutPrevious = anulacion(first.id, { flags: '<sf:SinRegistroPrevio>S</sf:SinRegistroPrevio>' });
    expect((await simulator.submit([cancelled, withoutPrevious])).map(({ code }) => code)).toEqual([
      '3001',
      '3001',
    ]);
    const again = anulacion(first.id, { previous: cancelled.id });
    const revived = next('1', { flags: '<sf:Subsanacion>S</sf:Subsanacion>', previous: again.id });
    expect((await simulator.submit([again, revived])).map(({ state }) => state)).toEqual([
      'Correcto',
      'Correcto',
    ]);
    expect(await found(filter('NumSerieFactura', first.id.number))).toContain(revived.id.fingerprint);
  });

  test('is read page by page', async () => {
    const records = ['1', '2', '3', '4', '5'].map((number) => next(number));
    await simulator.submit(records);
    const installation = thisSystem();
    const first = await found(installation);
    expect(textOf(first, 'IndicadorPaginacion')).toBe('S');
    const [, key = ''] = /<tikLRRC:ClavePaginacion>(.*)<\/tikLRRC:ClavePaginacion>/.exec(first) ?? [];
    const second = await found(installation + filter('ClavePaginacion', key.replaceAll('tik:', 'sf:')));
    expect(textOf(second, 'IndicadorPaginacion')).toBe('N');
    expect([...numbersIn(first), ...numbersIn(second)]).toEqual(records.map(({ id }) => id.number));
  });

  test.each([
    ['a month that is none', consulta('2026', '13'), '1248'],
    ['an issuer that is none', consulta('2026', '01', '', '', 'B00000001'), '4116'],
    [
      'no period',
      consulta('2026', '01').replace(/<con:PeriodoImputacion>.*<\/con:PeriodoImputacion>/, ''),
      '4102',
    ],
  ])('refuses %s', async (_, body, code) => {
    expect(faultCode(await simulator.post(body))).toBe(code);
  });
});

describe('the endpoint', () => {
  test('stays shut without a client certificate', async () => {
    const attempt = new Promise((resolve, reject) => {
      const sent = request(`${simulator.tlsUrl}/`, { rejectUnauthorized: false }, resolve);
      sent.on('error', reject);
      sent.end();
    });
    await expect(attempt).rejects.toThrow(/certificate required|ECONNRESET|socket hang up/i);
  });

  test('speaks no TLS older than 1.2', async () => {
    const port = Number(new URL(simulator.tlsUrl).port);
    const attempt = new Promise((resolve, reject) => {
      const socket = connect({ port, rejectUnauthorized: false, maxVersion: 'TLSv1.1', minVersion: 'TLSv1' });
      socket.on('secureConnect', resolve).on('error', reject);
    });
    await expect(attempt).rejects.toThrow();
  });

  test('refuses what is too large before reading it all', async () => {
    const reply = await simulator.post(Buffer.alloc(33 * 1024 * 1024, 0x20)).catch((error: Error) => error);
    expect(reply instanceof Error ? reply.message : String(reply.status)).toMatch(/413|ECONNRESET|EPIPE/);
  });

  test('has no other paths', async () => {
    expect((await simulator.get('/')).status).toBe(404);
    expect((await fetch(`${simulator.url}/nothing`)).status).toBe(404);
  });
});
