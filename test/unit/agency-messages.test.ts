import { describe, expect, test } from 'vitest';
import { AnswerReader } from '../../src/subjects/registration/aeat/answer.ts';
import { registrationUrl } from '../../src/subjects/registration/aeat/endpoints.ts';
import { registrationEnvelope } from '../../src/subjects/registration/aeat/envelope.ts';
import {
  type QueriedInvoice,
  QueryReader,
  queryEnvelope,
} from '../../src/subjects/registration/aeat/query.ts';
import { answer, envelope, fault, queryAnswer, readWhole } from '../support/agency/answers.ts';
import { sampleRecords } from '../support/agency/records.ts';
import { agencySchemas, SCHEMAS } from '../support/agency/simulator.ts';

const readAnswer = (text: string) => readWhole(new AnswerReader(), text);
const readQueryAnswer = (text: string, invoice: QueriedInvoice) => readWhole(new QueryReader(invoice), text);

const issuer = { nif: 'B72877814', legalName: 'Peña & Hijos <Ñandú> "SL"' };

describe('the envelope', () => {
  test('carries the records’ bytes unchanged, in order', () => {
    const records = sampleRecords(3);
    const xml = registrationEnvelope(issuer, records, false);
    const inside = [...xml.matchAll(/<lr:RegistroFactura>(.*?)<\/lr:RegistroFactura>/gs)].map(
      (match) => match[1],
    );
    expect(inside).toEqual(records);
    expect(xml).not.toContain('Incidencia');
  });

  test('has the incident flag when there was an incident', () => {
    expect(registrationEnvelope(issuer, sampleRecords(1), true)).toContain(
      '<sf:Incidencia>S</sf:Incidencia>',
    );
  });

  test('escapes the issuer’s name and drops what XML cannot carry', () => {
    expect(registrationEnvelope(issuer, sampleRecords(1), false)).toContain(
      '<sf:NombreRazon>Peña &amp; Hijos &lt;Ñandú&gt; &quot;SL&quot;</sf:NombreRazon>',
    );
    const odd = { ...issuer, legalName: 'A\u0001B\u{1F600}\uFFFE' };
    expect(registrationEnvelope(odd, sampleRecords(1), false)).toContain('<sf:NombreRazon>A B\u{1F600} <');
  });

  test('is never empty nor above the schema’s limit', () => {
    expect(() => registrationEnvelope(issuer, [], false)).toThrow('1 to 1000');
    expect(() =>
      registrationEnvelope(
        issuer,
        Array.from({ length: 1001 }, () => '<a/>'),
        false,
      ),
    ).toThrow('1001');
  });

  if (SCHEMAS === undefined)
    console.warn('AEAT_SCHEMAS is not set: envelopes are NOT validated against the agency’s schemas');
  test.runIf(SCHEMAS)('keeps to the agency’s schemas, and so does the query', () => {
    const schemas = agencySchemas()!;
    const records = sampleRecords(20);
    for (const incident of [false, true]) {
      expect(schemas.check('SuministroLR', registrationEnvelope(issuer, records, incident))).toEqual([]);
    }
    const invoice = { number: 'F-2026-1 & Cía', issuedOn: '2026-11-20', operationOn: null };
    expect(schemas.check('ConsultaLR', queryEnvelope(issuer, invoice))).toEqual([]);
  });
});

describe('the query', () => {
  const invoice = { number: 'F-2026-1', issuedOn: '2026-12-01', operationOn: null };

  test('queries the month of the operation, by default that of the issue', () => {
    expect(queryEnvelope(issuer, invoice)).toContain(
      '<sf:Ejercicio>2026</sf:Ejercicio><sf:Periodo>12</sf:Periodo>',
    );
    expect(queryEnvelope(issuer, { ...invoice, operationOn: '2025-03-31' })).toContain(
      '<sf:Ejercicio>2025</sf:Ejercicio><sf:Periodo>03</sf:Periodo>',
    );
  });

  test('its answer is read in both grammatical genders, and only for the requested invoice', async () => {
    const held = { number: 'F-2026-1', date: '01-12-2026', fingerprint: 'AB'.repeat(32), state: 'Correcta' };
    const states = ['Correcta', 'Correcto', 'AceptadaConErrores', 'AceptadoConErrores', 'Anulada', 'Anulado'];
    const answers = await Promise.all(
      states.map((state) => readQueryAnswer(queryAnswer([{ ...held, state }]), invoice)),
    );
    expect(answers.map((read) => read.kind === 'held' && read.records[0]?.state)).toEqual([
      ...['accepted', 'accepted', 'flagged', 'flagged', 'cancelled', 'cancelled'],
    ]);
    const others = [
      { ...held, number: 'F-2026-10' },
      { ...held, date: '02-12-2026' },
    ];
    expect(readQueryAnswer(queryAnswer([...others, held]), invoice)).toMatchObject({
      kind: 'held',
      records: [{ fingerprint: held.fingerprint }],
    });
    expect(readQueryAnswer(queryAnswer([]), invoice)).toEqual({ kind: 'held', records: [] });
  });

  test('an answer that hides its content is no answer', async () => {
    const held = { number: 'F-2026-1', date: '01-12-2026', fingerprint: '', state: 'Correcta' };
    expect(readQueryAnswer(queryAnswer([held]), invoice).kind).toBe('unreadable');
    const unreadable = { ...held, fingerprint: 'AB', state: 'Dormida' };
    expect(readQueryAnswer(queryAnswer([unreadable]), invoice).kind).toBe('unreadable');
    expect(readQueryAnswer(answer([]), invoice).kind).toBe('unreadable');
    expect(readQueryAnswer(fault('4112', 'sin poder'), invoice)).toMatchObject({
      kind: 'fault',
      code: '4112',
    });
  });
});

describe('the answer', () => {
  test('is read line by line, with the agency’s texts verbatim', async () => {
    const xml = answer([
      { number: 'F-2026-1', date: '20-11-2026', state: 'Correcto' },
      {
        ...{ number: 'F-2026-2', date: '20-11-2026', state: 'Incorrecto', code: '1110' },
        message: 'El NIF no est&#225; identificado &amp; &lt;punto&gt;. Ñ',
      },
      {
        number: 'F-2026-1',
        date: '20-11-2026',
        state: 'AceptadoConErrores',
        operation: 'Anulacion',
        code: '2004',
      },
    ]);
    expect(readAnswer(xml)).toEqual({
      kind: 'processed',
      receipt: 'A-1B2C3D4E5F6G7H',
      waitSeconds: 60,
      records: [
        {
          ...{ operation: 'registration', number: 'F-2026-1', issueDate: '20-11-2026' },
          ...{ state: 'accepted', code: null, message: null },
        },
        {
          ...{ operation: 'registration', number: 'F-2026-2', issueDate: '20-11-2026' },
          ...{ state: 'rejected', code: '1110', message: 'El NIF no está identificado & <punto>. Ñ' },
        },
        {
          ...{ operation: 'cancellation', number: 'F-2026-1', issueDate: '20-11-2026' },
          ...{ state: 'flagged', code: '2004', message: null },
        },
      ],
    });
  });

  test('without a usable wait leaves the wait as it was', async () => {
    const waits = ['', '   ', '0', '0007', '9999', '12345', '-1', '1.5', 'pronto'];
    expect(await Promise.all(waits.map((wait) => readWait(answer([], wait))))).toEqual([
      ...[null, null, 0, 7, 9999, null, null, null, null],
    ]);
  });

  test('that accepts nothing has no receipt', async () => {
    expect(readAnswer(answer([], '60', null))).toMatchObject({ receipt: null });
  });

  test('may be a fault, with the agency’s code if it has one', async () => {
    expect(readAnswer(fault('4104', 'El NIF del titular'))).toEqual({
      ...{ kind: 'fault', party: 'client', code: '4104', message: 'Codigo[4104].El NIF del titular' },
    });
    expect(readAnswer(fault(null, 'Error interno', 'Server'))).toMatchObject({
      party: 'server',
      code: null,
    });
  });

  test('cut at any byte is unreadable, never half an answer', async () => {
    const whole = Buffer.from(answer([{ number: 'Ñ-1', date: '20-11-2026', state: 'Correcto' }]));
    for (let length = 0; length < whole.length; length += 1) {
      const read = readAnswer(whole.subarray(0, length).toString('utf8'));
      expect(read.kind, `cut at ${length}`).toBe('unreadable');
    }
  });

  test.each([
    ['nothing', ''],
    ['white space', ' \r\n\t '],
    ['a page of a proxy', '<!DOCTYPE html><html><body>503</body></html>'],
    ['a page without a type', '<html><body><h1>Servicio no disponible</h1></body></html>'],
    ['an unclosed page', '<html><body><br><p>x'],
    ['JSON', '{"error":"x"}'],
    ['text', 'upstream connect error'],
    ['bytes', Buffer.from([0, 255, 254, 60, 1, 2, 62]).toString('utf8')],
    ['another service’s answer', envelope('<x:Otra xmlns:x="urn:x"><x:CSV>1</x:CSV></x:Otra>')],
    ['an empty body', envelope('')],
    ['a body of text', envelope('hola')],
    ['an envelope only', '<env:Envelope xmlns:env="http://schemas.xmlsoap.org/soap/envelope/"/>'],
    ['an unknown state', answer([{ number: 'F-1', date: '20-11-2026', state: 'Dudoso' as 'Correcto' }])],
    ['a line without its invoice', answer([{ number: '', date: '', state: 'Correcto' }])],
    ['names that are traps', '<__proto__><constructor/></__proto__>'],
    ['a declared type inside an answer', answer([]).replace('?>', '?><!DOCTYPE x [<!ENTITY a "b">]>')],
    [
      'an entity from elsewhere',
      '<!doctype x [<!ENTITY a SYSTEM "file:///etc/passwd">]><env:Envelope>&a;</env:Envelope>',
    ],
  ])('that is %s is unreadable', async (_, text) => {
    expect(readAnswer(text).kind).toBe('unreadable');
    expect(readQueryAnswer(text, { number: 'F-1', issuedOn: '2026-11-20', operationOn: null }).kind).toBe(
      'unreadable',
    );
  });

  async function readWait(xml: string): Promise<number | null> {
    const read = readAnswer(xml);
    if (read.kind !== 'processed') throw new Error(read.kind);
    return read.waitSeconds;
  }
});

test('a seal certificate has hosts of its own', () => {
  const path = '/wlpl/TIKE-CONT/ws/SistemaFacturacion/VerifactuSOAP';
  expect(registrationUrl('production', 'person')).toBe(`https://www1.agenciatributaria.gob.es${path}`);
  expect(registrationUrl('production', 'seal')).toBe(`https://www10.agenciatributaria.gob.es${path}`);
  expect(registrationUrl('preproduction', 'person')).toBe(`https://prewww1.aeat.es${path}`);
  expect(registrationUrl('preproduction', 'seal')).toBe(`https://prewww10.aeat.es${path}`);
});
