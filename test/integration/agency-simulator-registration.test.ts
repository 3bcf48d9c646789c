import { rmSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { fiscalTimestamp } from '../../src/ground/lib/calendar.ts';
import { clock } from '../../src/ground/lib/clock.ts';
import {
  alta,
  anulacion,
  type Built,
  chainOf,
  detail,
  envelope,
  otherId,
  person,
  SF,
  soap,
} from '../support/agency/declared-records.ts';
import {
  agencySchemas,
  faultCode,
  newDataDir,
  SCHEMAS,
  type TestSimulator,
  testSimulator,
  textOf,
} from '../support/agency/simulator.ts';

let simulator: TestSimulator;

beforeAll(async () => {
  simulator = await testSimulator();
  if (SCHEMAS === undefined) {
    console.warn(
      '\n*** AEAT_SCHEMAS IS NOT SET: the answers are NOT held against the schemas of the agency. ***\n',
    );
  }
});

afterAll(() => simulator.stop());

/** Sends records and gives the whole answer, which the agency's schema must allow. */
async function answerTo(records: readonly Built[], remission = ''): Promise<string> {
  const { status, text } = await simulator.post(envelope(records, undefined, remission));
  expect([status, status === 200 ? '' : text]).toEqual([200, '']);
  expect(agencySchemas()?.check('RespuestaSuministro', text) ?? []).toEqual([]);
  return text;
}

/** Records of one test hang together and do not meet those of another. */
let series = 0;
let next: ReturnType<typeof chainOf>;
beforeEach(() => {
  series += 1;
  next = chainOf(`T${series}`);
});

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

  test('of mixed records states the outcome of each', async () => {
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
    const started = process.threadCpuUsage();
    const { text } = await simulator.post(message);
    const { user, system } = process.threadCpuUsage(started);
    expect(text.match(/<tikR:EstadoRegistro>Correcto</g)).toHaveLength(1_000);
    // Of this thread's processor time, in microseconds: measured 0.3 s.
    expect(user + system).toBeLessThan(2_000_000);
  });

  test('later records see the effect of earlier ones in the same envelope', async () => {
    const first = next('1');
    const amended = next('1', { flags: '<sf:Subsanacion>S</sf:Subsanacion>', description: 'Otra cosa' });
    const lines = await simulator.submit([
      first,
      amended,
      anulacion(amended.id, { previous: amended.id }),
      first,
    ]);
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
  test.each<[reason: string, body: () => string | Buffer, code: string]>([
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
    ['when a person has no name', () => envelope([alta()], { name: '', nif: '12345678Z' }), '1282'],
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

  test.runIf(SCHEMAS)('and a value outside the schema refuses only its record', async () => {
    const fine = next('1');
    // No zone is so far from Greenwich, as only the schema knows.
    const odd = next('2', {
      timestamp: fiscalTimestamp('Europe/Madrid', clock.now()).replace(/[+-]..:..$/, '+15:00'),
    });
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
  test('an alta is accepted once: a second one is answered with what is held', async () => {
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

  test('a rejected record leaves nothing at the agency, and its amendment states so', async () => {
    const rejected = next('1', { description: 'SIMULATE-REJECT-ONCE' });
    const wrong = next('1', { flags: '<sf:Subsanacion>S</sf:Subsanacion>' });
    const right = next('1', {
      flags: '<sf:Subsanacion>S</sf:Subsanacion><sf:RechazoPrevio>X</sf:RechazoPrevio>',
    });
    const codes = (await simulator.submit([rejected, wrong, right, right])).map(({ code }) => code);
    expect(codes).toEqual(['1110', '3002', '', '3000']);
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

test('a full simulator answers with the agency’s error for internal faults, and keeps its records', async () => {
  const small = await testSimulator({ mostRecords: 3 });
  await small.submit([next('1'), next('2')]);
  const refused = await small.post(envelope([next('3'), next('4')]));
  expect([faultCode(refused), textOf(refused.text, 'faultcode')]).toEqual(['3501', 'env:Server']);
  expect((await small.submit([next('3')])).map(({ state }) => state)).toEqual(['Correcto']);
  expect(faultCode(await small.post(envelope([next('5')])))).toBe('3501');
  await small.stop();
});
