import { expect, test } from 'vitest';
import { type ReadRecord, readRecord } from '../../src/subjects/chain/read-record.ts';
import { sampleRecords } from '../support/agency/records.ts';

const read = (xml: string): ReadRecord => {
  const record = readRecord(xml);
  if (typeof record === 'string') throw new Error(record);
  return record;
};

/** The three examples of the agency's document on the fingerprint (v0.1.2, section 6). */
const FIRST = '3C464DAF61ACB827C65FDA19F352A4E3BDC2C640E9E9FC4CC058073F38F12F60';
const SECOND = 'F7B94CFD8924EDFF273501B01EE5153E4CE8F259766F88CF6ACB8935802A2B97';
const THIRD = '177547C0D57AC74748561D054A9CEC14B4C4EA23D1BEFD6F2E69E3A388F90C68';

const id = (number: string, suffix = '') =>
  `<a:IDEmisorFactura${suffix}>89890001K</a:IDEmisorFactura${suffix}><a:NumSerieFactura${suffix}>${number}</a:NumSerieFactura${suffix}>` +
  `<a:FechaExpedicionFactura${suffix}>01-01-2024</a:FechaExpedicionFactura${suffix}>`;
const link = (number: string, fingerprint: string) =>
  `<a:Encadenamiento><a:RegistroAnterior>${id(number)}<a:Huella>${fingerprint}</a:Huella></a:RegistroAnterior></a:Encadenamiento>`;
const alta = (number: string, chained: string, time: string) =>
  `<a:RegistroAlta xmlns:a="x"><a:IDFactura>${id(number)}</a:IDFactura><a:TipoFactura> F1\n</a:TipoFactura>` +
  `<a:CuotaTotal>12.35</a:CuotaTotal><a:ImporteTotal>123.45</a:ImporteTotal>${chained}` +
  `<a:FechaHoraHusoGenRegistro>${time}</a:FechaHoraHusoGenRegistro><a:Huella/></a:RegistroAlta>`;

test("the agency's own examples give the fingerprints of its document", () => {
  const first = '<a:Encadenamiento><a:PrimerRegistro>S</a:PrimerRegistro></a:Encadenamiento>';
  const one = read(alta('12345678/G33', first, '2024-01-01T19:20:30+01:00'));
  expect(one).toMatchObject({ computed: FIRST, isFirst: true, previous: '', total: 12_345, taxTotal: 1_235 });
  const two = read(alta('12345679/G34', link('12345678/G33', FIRST), '2024-01-01T19:20:35+01:00'));
  expect(two).toMatchObject({ computed: SECOND, isFirst: false });
  expect(two.previous).toBe(`89890001K 12345678/G33 01-01-2024 ${FIRST}`);
  const anulacion =
    `<RegistroAnulacion><IDFactura>${id('12345679/G34', 'Anulada').replaceAll('a:', '')}</IDFactura>` +
    `${link('12345679/G34', SECOND)}<FechaHoraHusoGenRegistro>2024-01-01T19:20:40+01:00</FechaHoraHusoGenRegistro></RegistroAnulacion>`;
  expect(read(anulacion)).toMatchObject({ kind: 'cancellation', computed: THIRD });
});

test('escaped text is read back unchanged', () => {
  const xml = alta('A&amp;B&#x2F;&#49;', '', '');
  expect(read(xml).number).toBe('A&B/1');
});

const whole = sampleRecords(2)[1]!;

test('a truncated record is not read', () => {
  expect(typeof readRecord(whole)).toBe('object');
  for (let length = 0; length < whole.length; length++) {
    expect(typeof readRecord(whole.slice(0, length)), `${length} characters`).toBe('string');
  }
});

test.each([
  ['another element', whole.replaceAll('RegistroAlta', 'RegistroBaja')],
  ['a comment', whole.replace('</sf:IDFactura>', '<!-- --></sf:IDFactura>')],
  ['a section', whole.replace('F1', '<![CDATA[F1]]>')],
  ['a document type', `<!DOCTYPE x>${whole}`],
  ['an element twice', whole.replace(/(<sf:ImporteTotal>.*?<\/sf:ImporteTotal>)/, '$1$1')],
  ['text between elements', whole.replace('</sf:IDFactura>', '</sf:IDFactura>text')],
  ['two records', whole + whole],
  [
    'elements that cross',
    whole.replace('</sf:CuotaTotal><sf:ImporteTotal>', '<sf:ImporteTotal></sf:CuotaTotal>'),
  ],
])('%s is not read', (_what, xml) => {
  expect(xml).not.toBe(whole);
  expect(typeof readRecord(xml)).toBe('string');
});
