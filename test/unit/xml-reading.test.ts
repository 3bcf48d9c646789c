import { describe, expect, test } from 'vitest';
import { XML_BOUNDS, type XmlElement, XmlFault, XmlReader } from '../../src/ground/lib/xml.ts';
import { readAnswer as readRegister } from '../../src/subjects/recipients/registers/soap.ts';
import { AnswerReader } from '../../src/subjects/registration/aeat/answer.ts';
import { PeriodReader } from '../../src/subjects/registration/aeat/period-query.ts';
import { SoapReader } from '../../src/subjects/registration/aeat/soap.ts';
import { AGENCY_LIMITS } from '../../src/subjects/registration/limits.ts';
import { answer, queryAnswer, readWhole } from '../support/agency/answers.ts';

const readAnswer = (text: string) => readWhole(new AnswerReader(), text);

function read(text: string | Uint8Array): XmlElement | string {
  try {
    const reader = new XmlReader();
    reader.write(text);
    return reader.close();
  } catch (error) {
    if (error instanceof XmlFault) return error.message;
    throw error;
  }
}

/** A text of `depth` levels. */
const nested = (depth: number) => '<a>'.repeat(depth) + '</a>'.repeat(depth);

test('a document type is refused, whatever it declares', () => {
  for (const type of ['a', 'a SYSTEM "http://127.0.0.1/a.dtd"', 'a [<!ENTITY b "c">]'])
    expect(read(`<!DOCTYPE ${type}><a/>`)).toBe('it declares a document type');
});

describe('each bound is exact', () => {
  test.each<[string, number, (count: number) => string]>([
    ['levels', XML_BOUNDS.depth, nested],
    ['elements', XML_BOUNDS.elements, (count) => `<a>${'<b/>'.repeat(count - 1)}</a>`],
    [
      'attributes',
      XML_BOUNDS.attributes,
      (count) => `<a ${Array.from({ length: count }, (_, index) => `a${index}=""`).join(' ')}/>`,
    ],
    ['characters in one text', XML_BOUNDS.text, (count) => `<a>${'x'.repeat(count)}</a>`],
    [
      'characters in one text',
      XML_BOUNDS.text,
      (count) => `<a>${'x'.repeat(count - 100)}<![CDATA[${'y'.repeat(100)}]]></a>`,
    ],
  ])('%s: %d', (what, most, text) => {
    expect(typeof read(text(most))).toBe('object');
    expect(read(text(most + 1))).toContain(what);
  });

  test('characters held at once', () => {
    const full = Math.floor(XML_BOUNDS.characters / (XML_BOUNDS.text + 1));
    const texts = (count: number) => `<a>${`<b>${'x'.repeat(XML_BOUNDS.text)}</b>`.repeat(count)}</a>`;
    expect(typeof read(texts(full))).toBe('object');
    expect(read(texts(full + 1))).toContain('characters');
  });
});

test.each<[string, string]>([
  ['a comment', '<!--'],
  ['an instruction', '<?x '],
  ['a document type', '<!DOCTYPE a ['],
  ['a tag', '<a'],
  ['an attribute', '<a b="'],
  ['a text', '<a>'],
  ['a marked section', '<a><![CDATA['],
  ['a closing tag', '<a></a'],
])('%s without an end is given up soon, not kept', (_, beginning) => {
  const reader = new XmlReader();
  reader.write(beginning);
  const chunk = 'x'.repeat(4_096);
  let fed = 0;
  expect(() => {
    for (; fed < 1_000; fed += 1) reader.write(chunk);
  }).toThrow(XmlFault);
  expect(fed * chunk.length).toBeLessThan(2 * XML_BOUNDS.text);
});

test('an answer of 2.6 million nested or sibling tags, or of attributes, is given up before it is read', async () => {
  const envelope = (body: string) =>
    `<env:Envelope xmlns:env="http://schemas.xmlsoap.org/soap/envelope/"><env:Body>${body}`;
  const attacks = [
    envelope('<a>'.repeat(2_600_000)),
    envelope('<a/>'.repeat(2_000_000)),
    envelope(`<a ${Array.from({ length: 500_000 }, (_, index) => `a${index}=""`).join(' ')}/>`),
    envelope(`<a>${'x'.repeat(8_000_000)}</a>`),
    envelope('&#120;'.repeat(1_300_000)),
  ];
  for (const attack of attacks) {
    const before = process.memoryUsage().heapUsed;
    const started = process.threadCpuUsage();
    expect(readAnswer(attack)).toMatchObject({
      kind: 'unreadable',
      reason: expect.stringContaining('more than'),
    });
    expect(readRegister(attack, 'VNifV2Sal').kind).toBe('silent');
    const { user, system } = process.threadCpuUsage(started);
    expect(user + system).toBeLessThan(2_000_000);
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(64 * 1_024 * 1_024);
  }
});

test('the largest answer to an envelope is read', () => {
  const message = 'ñ'.repeat(1_500);
  const lines = Array.from({ length: 1_000 }, (_, index) => ({
    ...{ number: `F-${'9'.repeat(50)}-${index}`, date: '20-11-2026', state: 'Incorrecto' as const },
    ...{ code: '1110', message },
  }));
  const duplicate =
    '<tikR:RegistroDuplicado><sf:IdPeticionRegistroDuplicado>1</sf:IdPeticionRegistroDuplicado>' +
    '<sf:EstadoRegistroDuplicado>Correcta</sf:EstadoRegistroDuplicado><sf:CodigoErrorRegistro>1</sf:CodigoErrorRegistro>' +
    '<sf:DescripcionErrorRegistro>x</sf:DescripcionErrorRegistro></tikR:RegistroDuplicado>';
  const xml = answer(lines).replace(/(<\/[\w:]*RespuestaLinea>)/g, `${duplicate}$1`);
  const full = readAnswer(xml);
  expect(full.kind).toBe('processed');
  expect(full.kind === 'processed' && full.records.length).toBe(1_000);
});

test('a query’s page of 10,000 records is read, because none of them is kept', () => {
  const records = Array.from({ length: 10_000 }, (_, index) => ({
    ...{ number: `F-${index}`, date: '20-11-2026', state: 'Correcta', fingerprint: 'A'.repeat(64) },
  }));
  const installation = { producerName: 'x', producerNif: 'B72877814', softwareId: 'LC', number: '1' };
  const software =
    '<x:SistemaInformatico><x:NIF>B72877814</x:NIF><x:IdSistemaInformatico>LC</x:IdSistemaInformatico>' +
    '<x:NumeroInstalacion>1</x:NumeroInstalacion></x:SistemaInformatico>';
  const xml = queryAnswer(records).replace(/(<[\w:]*DatosRegistroFacturacion>)/g, `$1${software}`);
  expect((xml.match(/<[\w:]+[^/]*?>/g) ?? []).length).toBeGreaterThan(XML_BOUNDS.elements);
  const reader = new PeriodReader(installation);
  expect(reader.write(xml)).toBe(true);
  const page = reader.close();
  expect(page.kind).toBe('held');
  expect(page.kind === 'held' && page.records.length).toBe(10_000);
});

test('a page of more records than a page may hold is refused as soon as that is seen', () => {
  const reader = new PeriodReader({
    producerName: 'x',
    producerNif: 'B72877814',
    softwareId: 'LC',
    number: '1',
  });
  const record = '<RegistroRespuestaConsultaFactuSistemaFacturacion/>';
  reader.write('<Envelope><Body><RespuestaConsultaFactuSistemaFacturacion>');
  expect(reader.write(record.repeat(AGENCY_LIMITS.agencyPage.value))).toBe(true);
  expect(reader.write(record)).toBe(false);
  expect(reader.close()).toEqual({
    ...{ kind: 'unreadable', reason: 'a page holds more records than a page may' },
  });
});

test('an answer is the same however it is cut into chunks', () => {
  const xml = Buffer.from(
    answer([{ number: 'Ñ-1', date: '20-11-2026', state: 'Correcto', message: 'á&amp;\u{1F600}' }]),
  );
  const whole = new SoapReader('RespuestaRegFactuSistemaFacturacion');
  whole.write(xml);
  const expected = whole.close();
  expect(expected.kind).toBe('message');
  for (const size of [1, 2, 3, 7, 64]) {
    const reader = new SoapReader('RespuestaRegFactuSistemaFacturacion');
    for (let from = 0; from < xml.length; from += size)
      expect(reader.write(xml.subarray(from, from + size))).toBe(true);
    expect(reader.close()).toEqual(expected);
  }
});

test('a refused answer is reported while it arrives', () => {
  const reader = new SoapReader('RespuestaRegFactuSistemaFacturacion');
  expect(reader.write('<a>')).toBe(true);
  expect(reader.write('<a>'.repeat(XML_BOUNDS.depth))).toBe(false);
  expect(reader.close()).toMatchObject({ kind: 'unreadable' });
});
