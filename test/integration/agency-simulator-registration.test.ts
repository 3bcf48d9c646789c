import { rmSync } from 'node:fs';
import { request } from 'node:https';
import { connect } from 'node:tls';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { loadSchemas, type Schemas } from '../../src/agency-simulator/schemas.ts';
import { clock } from '../../src/lib/clock.ts';
import {
  alta,
  anulacion,
  type Built,
  consulta,
  detail,
  envelope,
  otherId,
  type Previous,
  person,
  SF,
  soap,
  today,
} from '../support/agency-records.ts';
import {
  faultCode,
  newDataDir,
  SCHEMAS,
  type TestSimulator,
  testSimulator,
  textOf,
} from '../support/agency-simulator.ts';

let simulator: TestSimulator;
let schemas: Schemas | null = null;

beforeAll(async () => {
  simulator = await testSimulator({ queryPageSize: 3 });
  if (SCHEMAS === undefined) {
    console.warn(
      '\n*** AEAT_SCHEMAS IS NOT SET: the answers are NOT held against the schemas of the agency. ***\n',
    );
  } else {
    schemas = loadSchemas(SCHEMAS);
  }
});

afterAll(async () => {
  schemas?.dispose();
  await simulator.stop();
});

/** Sends records and gives the whole answer, which the agency's schema must allow. */
async function answerTo(records: readonly Built[], remission = ''): Promise<string> {
  const { status, text } = await simulator.post(envelope(records, undefined, remission));
  expect([status, status === 200 ? '' : text]).toEqual([200, '']);
  expect(schemas?.check('RespuestaSuministro', text) ?? []).toEqual([]);
  return text;
}

async function found(filters: string, extras = ''): Promise<string> {
  const [, month = '', year = ''] = today().split('-');
  const { status, text } = await simulator.post(consulta(year, month, filters, extras));
  expect([status, status === 200 ? '' : text]).toEqual([200, '']);
  expect(schemas?.check('RespuestaConsultaLR', text) ?? []).toEqual([]);
  return text;
}

const numbersIn = (text: string) =>
  [...text.matchAll(/<tikLRRC:IDFactura>.*?<tik:NumSerieFactura>([^<]*)</g)].map(([, number]) => number);
const filter = (name: string, text: string) => `<con:${name}>${text}</con:${name}>`;

/** Records of one test hang together and do not meet those of another. */
let series = 0;
let tail: Previous | null = null;
beforeEach(() => {
  series += 1;
  tail = null;
});
function next(number: string, values: Parameters<typeof alta>[0] = {}): Built {
  const built = alta({
    number: `T${series}-${number}`,
    installation: `I-${series}`,
    previous: tail,
    ...values,
  });
  tail = built.id;
  return built;
}

describe('an envelope', () => {
  test('of right records is answered line by line, with receipt, presenter and wait', async () => {
    const records = [next('1', { reference: 'inv_1' }), next('2')];
    const text = await answerTo(
      records,
      '<sf:RemisionVoluntaria><sf:Incidencia>S</sf:Incidencia></sf:RemisionVoluntaria>',
    );
    expect(textOf(text, 'CSV')).toMatch(/^A-[A-Z0-9]{14}$/);
    expect(textOf(text, 'NIFPresentador')).toBe('B00000000');
    expect(Math.abs(Date.parse(textOf(text, 'TimestampPresentacion')) - clock.now().getTime())).toBeLessThan(
      60_000,
    );
    expect(textOf(text, 'TiempoEsperaEnvio')).toBe('0');
    expect(textOf(text, 'Incidencia')).toBe('S');
    expect(textOf(text, 'EstadoEnvio')).toBe('Correcto');
    expect(text.match(/<tikR:EstadoRegistro>Correcto</g)).toHaveLength(2);
    expect(textOf(text, 'RefExterna')).toBe('inv_1');
  });

  test('of mixed records says which is which', async () => {
    const text = await answerTo([
      next('1'),
      next('2', { recipients: person('CLIENTE', otherId('07', '12345678Z', 'ES')) }),
      next('3', { recipients: '' }),
    ]);
    expect(textOf(text, 'EstadoEnvio')).toBe('ParcialmenteCorrecto');
    const states = [...text.matchAll(/<tikR:EstadoRegistro>(\w+)</g)].map(([, state]) => state);
    expect(states).toEqual(['Correcto', 'AceptadoConErrores', 'Incorrecto']);
    expect(text).toContain('El NIF del bloque Destinatarios no está identificado en el censo de la AEAT.');
    expect(text).toContain('<tikR:CodigoErrorRegistro>1189</tikR:CodigoErrorRegistro>');
  });

  test('of refused records alone has neither receipt nor presenter', async () => {
    const text = await answerTo([next('1', { recipients: '' })]);
    expect(textOf(text, 'EstadoEnvio')).toBe('Incorrecto');
    expect(text).not.toContain('CSV');
    expect(text).not.toContain('DatosPresentacion');
  });

  test('of a thousand records is answered in well under a second', async () => {
    const records = Array.from({ length: 1_000 }, (_, index) =>
      next(String(index), { description: 'ñ'.repeat(300) }),
    );
    const message = envelope(records);
    const started = performance.now();
    const { text } = await simulator.post(message);
    const took = performance.now() - started;
    expect(text.match(/<tikR:EstadoRegistro>Correcto</g)).toHaveLength(1_000);
    // Measured 0.3 s; the rest is room for a busy machine.
    expect(took).toBeLessThan(2_000);
  });

  test('later records see what the earlier ones of the same envelope did', async () => {
    const first = next('1');
    const amended = next('1', { flags: '<sf:Subsanacion>S</sf:Subsanacion>', description: 'Otra cosa' });
    const lines = await simulator.submit([first, amended, anulacion(amended.id, { previous: tail }), first]);
    expect(lines.map(({ operation, state, code }) => `${operation} ${state} ${code}`.trim())).toEqual([
      'Alta Correcto',
      'Alta Correcto',
      'Anulacion Correcto',
      'Alta Incorrecto 3000',
    ]);
    expect(textOf(lines[3]!.xml, 'EstadoRegistroDuplicado')).toBe('Anulada');
  });
});

describe('whole envelopes are refused', () => {
  const header = '<sf:ObligadoEmision>';
  test.each<[why: string, body: () => string | Buffer, code: string]>([
    ['when empty', () => '', '4138'],
    ['when not UTF-8', () => Buffer.from(envelope([alta()]).replace('Servicios', 'ñ'), 'latin1'), '4119'],
    ['when they say another encoding', () => envelope([alta()]).replace('UTF-8', 'ISO-8859-1'), '4119'],
    ['when cut off', () => envelope([alta()]).slice(0, -40), '4103'],
    ['when they carry a DOCTYPE', () => envelope([alta()]).replace('?>', '?><!DOCTYPE a>'), '4103'],
    ['when they are no SOAP', () => '<a/>', '4102'],
    ['when meant for another service', () => soap('<a/>'), '4118'],
    ['without records', () => envelope([]), '4102'],
    [
      'with a missing element',
      () => envelope([alta()]).replace(/<sf:CuotaTotal>.*?<\/sf:CuotaTotal>/, ''),
      '4102',
    ],
    ['with an element out of place', () => envelope([alta({ afterDescription: '<sf:Otro/>' })]), '4102'],
    ['with foreign namespaces', () => envelope([alta()]).replaceAll(SF, `${SF}x`), '4102'],
    ['with neither alta nor anulacion', () => envelope([{ ...alta(), xml: '' }]), '4136'],
    ['with 1,001 records', () => envelope(Array(1_001).fill(alta())), '4114'],
    ['with 13 details', () => envelope([alta({ details: detail({}).repeat(13) })]), '4113'],
    ['when the issuer has no right NIF', () => envelope([alta()], { name: 'X', nif: 'B00000001' }), '4116'],
    [
      'when the issuer is not in the census',
      () => envelope([alta()], { name: 'NO CENSADO SL', nif: 'B00000000' }),
      '4104',
    ],
    ['when the issuer has no name', () => envelope([alta()], { name: '', nif: 'B00000000' }), '1215'],
    [
      'with a wrong incident',
      () =>
        envelope(
          [alta()],
          undefined,
          '<sf:RemisionVoluntaria><sf:Incidencia>X</sf:Incidencia></sf:RemisionVoluntaria>',
        ),
      '4121',
    ],
    [
      'with a wrong last day',
      () =>
        envelope(
          [alta()],
          undefined,
          '<sf:RemisionVoluntaria><sf:FechaFinVeriFactu>30-12-2026</sf:FechaFinVeriFactu></sf:RemisionVoluntaria>',
        ),
      '4120',
    ],
    [
      'when answering a demand',
      () =>
        envelope(
          [alta()],
          undefined,
          '<sf:RemisionRequerimiento><sf:RefRequerimiento>1</sf:RefRequerimiento></sf:RemisionRequerimiento>',
        ),
      '4126',
    ],
    [
      'with an element after the header',
      () => envelope([alta()]).replace(header, `<sf:Otro/>${header}`),
      '4102',
    ],
  ])('%s', async (_, body, code) => {
    const before = await (await fetch(`${simulator.url}/records.json?limit=1`)).json();
    const reply = await simulator.post(body());
    expect([faultCode(reply), reply.status]).toEqual([code, 500]);
    expect(textOf(reply.text, 'faultcode')).toBe('env:Client');
    expect(await (await fetch(`${simulator.url}/records.json?limit=1`)).json()).toEqual(before);
  });

  test.runIf(SCHEMAS)('and a value off the schema refuses its record alone', async () => {
    const fine = next('1');
    let odd = next('2');
    const agreement = `<sf:IdAcuerdoSistemaInformatico>${'1'.repeat(17)}</sf:IdAcuerdoSistemaInformatico>`;
    odd = { ...odd, xml: odd.xml.replace('<sf:TipoHuella>', `${agreement}<sf:TipoHuella>`) };
    expect((await simulator.submit([fine, odd])).map(({ state }) => state)).toEqual([
      'Correcto',
      'Incorrecto',
    ]);
  });

  test('by GET, too', async () => {
    const reply = await simulator.get('/wlpl/TIKE-CONT/ws/SistemaFacturacion/VerifactuSOAP');
    expect(faultCode(reply)).toBe('4135');
  });
});

describe('what is held of an invoice', () => {
  test('an alta comes once: a second one is told what is held', async () => {
    const flagged = next('1', { description: 'SIMULATE-FLAG' });
    await answerTo([flagged]);
    const text = await answerTo([flagged, next('1', { description: 'Otra' })]);
    expect(text.match(/<tikR:CodigoErrorRegistro>3000</g)).toHaveLength(2);
    expect(textOf(text, 'IdPeticionRegistroDuplicado')).toMatch(/^\d{20}$/);
    expect(textOf(text, 'EstadoRegistroDuplicado')).toBe('AceptadaConErrores');
    expect(text).toContain('<tik:CodigoErrorRegistro>2001</tik:CodigoErrorRegistro>');
  });

  test('the same number of another day is another invoice', async () => {
    const records = [next('1'), next('1', { date: '01-06-2026', operationDate: '' })];
    expect((await simulator.submit(records)).map(({ state }) => state)).toEqual(['Correcto', 'Correcto']);
  });

  test('a rejected record leaves nothing, and its amendment says so', async () => {
    const rejected = next('1', { description: 'SIMULATE-REJECT-ONCE' });
    const wrong = next('1', { flags: '<sf:Subsanacion>S</sf:Subsanacion>' });
    const right = next('1', {
      flags: '<sf:Subsanacion>S</sf:Subsanacion><sf:RechazoPrevio>X</sf:RechazoPrevio>',
    });
    const codes = (await simulator.submit([rejected, wrong, right, right])).map(({ code }) => code);
    expect(codes).toEqual(['1110', '3002', '', '3000']);
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

  test('a chain begins once', async () => {
    await simulator.submit([next('1')]);
    expect((await simulator.submit([next('2', { previous: null })]))[0]).toMatchObject({
      state: 'AceptadoConErrores',
      code: '2007',
    });
    // Another installation is another chain.
    expect(await simulator.submit([next('3', { previous: null, installation: 'other' })])).toMatchObject([
      { state: 'Correcto' },
    ]);
  });

  test('a restart forgets nothing', async () => {
    const dataDir = newDataDir();
    try {
      const before = await testSimulator({ dataDir });
      const first = next('1');
      await before.submit([first]);
      await before.stop();
      const after = await testSimulator({ dataDir });
      expect((await after.submit([first]))[0]).toMatchObject({ state: 'Incorrecto', code: '3000' });
      expect((await after.submit([next('2')]))[0]).toMatchObject({ state: 'Correcto' });
      const { records } = (await (await fetch(`${after.url}/records.json`)).json()) as {
        records: { xml: string }[];
      };
      expect(records.at(-1)?.xml).toBe(first.xml);
      await after.stop();
    } finally {
      rmSync(dataDir, { recursive: true });
    }
  });
});

describe('the query', () => {
  test('finds by number, by reference, by recipient, by date and by system', async () => {
    const one = next('a&amp;1', { reference: `ref-${series}` });
    await simulator.submit([one, next('2', { recipients: person('OTRO', otherId('02', 'FR12345678901')) })]);
    const installation = `<con:SistemaInformatico><sf:NombreRazon>X</sf:NombreRazon><sf:NIF>B00000000</sf:NIF><sf:IdSistemaInformatico>P1</sf:IdSistemaInformatico><sf:NumeroInstalacion>I-${series}</sf:NumeroInstalacion></con:SistemaInformatico>`;
    const mine = (text: string) => numbersIn(text).filter((number) => number?.startsWith(`T${series}-`));
    expect(mine(await found(filter('NumSerieFactura', one.id.number)))).toEqual([one.id.number]);
    expect(mine(await found(filter('RefExterna', `ref-${series}`)))).toEqual([one.id.number]);
    const counterpart = `<sf:NombreRazon>OTRO</sf:NombreRazon>${otherId('02', 'FR12345678901')}`;
    expect(mine(await found(filter('Contraparte', counterpart)))).toEqual([`T${series}-2`]);
    expect(mine(await found(installation))).toEqual([one.id.number, `T${series}-2`]);
    const range = `<sf:RangoFechaExpedicion><sf:Desde>${today()}</sf:Desde></sf:RangoFechaExpedicion>`;
    expect(numbersIn(await found(filter('FechaExpedicionFactura', range)))).toHaveLength(3);
    expect(textOf(await found(filter('NumSerieFactura', 'none')), 'ResultadoConsulta')).toBe('SinDatos');
  });

  test('gives what was sent, with fingerprint and presentation, and more when asked', async () => {
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
    expect(textOf(more, 'NumeroInstalacion')).toBe(`I-${series}`);
  });

  test('goes page by page', async () => {
    const records = ['1', '2', '3', '4', '5'].map((number) => next(number));
    await simulator.submit(records);
    const installation = `<con:SistemaInformatico><sf:NombreRazon>X</sf:NombreRazon><sf:NIF>B00000000</sf:NIF><sf:IdSistemaInformatico>P1</sf:IdSistemaInformatico><sf:NumeroInstalacion>I-${series}</sf:NumeroInstalacion></con:SistemaInformatico>`;
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

describe('the door', () => {
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

  test('knows no other paths', async () => {
    expect((await simulator.get('/')).status).toBe(404);
    expect((await fetch(`${simulator.url}/nothing`)).status).toBe(404);
  });
});
