import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { errorText } from '../../src/agency-simulator/error-table.ts';
import { NAMESPACES, shapeFault } from '../../src/agency-simulator/shapes.ts';
import { type Entry, Store } from '../../src/agency-simulator/store.ts';
import { fingerprintOf } from '../../src/agency-simulator/submitted.ts';
import { isNif, isPersonNif } from '../../src/agency-simulator/tax-ids.ts';
import { dayOfAgencyDate } from '../../src/agency-simulator/time.ts';
import {
  childOf,
  escaped,
  MalformedXml,
  parseXml,
  sourceOf,
  textAt,
  type XmlElement,
} from '../../src/agency-simulator/xml.ts';
import { alta, envelope, SF } from '../support/agency/declared-records.ts';
import { smallDisk } from '../support/database/small-disk.ts';

const read = (text: string) => parseXml(text) as XmlElement;

/** Input of the agency's three published examples (fingerprint specification v0.1.2, section 6). */
const FIRST = '3C464DAF61ACB827C65FDA19F352A4E3BDC2C640E9E9FC4CC058073F38F12F60';
const SECOND = 'F7B94CFD8924EDFF273501B01EE5153E4CE8F259766F88CF6ACB8935802A2B97';
const THIRD = '177547C0D57AC74748561D054A9CEC14B4C4EA23D1BEFD6F2E69E3A388F90C68';

function officialAlta(number: string, previous: string, second: number): string {
  const link =
    previous === ''
      ? '<PrimerRegistro>S</PrimerRegistro>'
      : `<RegistroAnterior><Huella>${previous}</Huella></RegistroAnterior>`;
  return `<RegistroAlta><IDFactura><IDEmisorFactura>89890001K</IDEmisorFactura>
    <NumSerieFactura>  ${number}\t</NumSerieFactura><FechaExpedicionFactura>01-01-2024</FechaExpedicionFactura></IDFactura>
    <TipoFactura>F1</TipoFactura><CuotaTotal>12.35</CuotaTotal><ImporteTotal>123.45</ImporteTotal>
    <Encadenamiento>${link}</Encadenamiento>
    <FechaHoraHusoGenRegistro>2024-01-01T19:20:${second}+01:00</FechaHoraHusoGenRegistro></RegistroAlta>`;
}

test("the agency's published fingerprints come out, of values trimmed at both ends", () => {
  expect(fingerprintOf(read(officialAlta('12345678/G33', '', 30)))).toBe(FIRST);
  expect(fingerprintOf(read(officialAlta('12345679/G34', FIRST, 35)))).toBe(SECOND);
  const cancellation = `<RegistroAnulacion><IDFactura><IDEmisorFacturaAnulada>89890001K</IDEmisorFacturaAnulada>
    <NumSerieFacturaAnulada>12345679/G34</NumSerieFacturaAnulada>
    <FechaExpedicionFacturaAnulada>01-01-2024</FechaExpedicionFacturaAnulada></IDFactura>
    <Encadenamiento><RegistroAnterior><Huella>${SECOND}</Huella></RegistroAnterior></Encadenamiento>
    <FechaHoraHusoGenRegistro>2024-01-01T19:20:40+01:00</FechaHoraHusoGenRegistro></RegistroAnulacion>`;
  expect(fingerprintOf(read(cancellation))).toBe(THIRD);
});

test('a fingerprint is over characters, not over their escapes', () => {
  const plain = read(officialAlta('A&amp;B', '', 30));
  expect(fingerprintOf(read(officialAlta('A&#38;B', '', 30)))).toBe(fingerprintOf(plain));
  expect(fingerprintOf(read(officialAlta('<![CDATA[A&B]]>', '', 30)))).toBe(fingerprintOf(plain));
  expect(fingerprintOf(read(officialAlta('AB', '', 30)))).not.toBe(fingerprintOf(plain));
});

test.each([
  ['cut off', '<a><b></b>'],
  ['with two roots', '<a/><b/>'],
  ['with a DOCTYPE', '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>'],
  ['with an undeclared entity', '<a>&nbsp;</a>'],
  ['with a control character', '<a>\u0001</a>'],
  ['with a reference to a control character', '<a>&#1;</a>'],
  ['with a reference to half a character', '<a>&#xD800;</a>'],
  ['of a hundred levels', `${'<a>'.repeat(100)}${'</a>'.repeat(100)}`],
  ['that is empty', ''],
  ['with a forbidden name', '<a><__proto__>1</__proto__></a>'],
])('a text %s is not read', (_, text) => {
  expect(parseXml(text)).toBeInstanceOf(MalformedXml);
});

test('names are read by their namespace, values by their characters', () => {
  const root = read('<x:a xmlns:x="urn:1"><b xmlns="urn:2"> ñ &amp; &#8364; </b><!-- no --></x:a>');
  expect(root).toMatchObject({ name: 'a', namespace: 'urn:1' });
  expect(childOf(root, 'b')).toMatchObject({ namespace: 'urn:2', rawText: ' ñ & € ' });
  expect(textAt(root, 'b')).toBe('ñ & €');
  expect(textAt(root, 'c')).toBeNull();
});

test("an element's own characters are found, with any comments and CDATA", () => {
  const own = '<s:b a="1"> <!--</s:b>--><![CDATA[</s:b>]]> </s:b >';
  const text = `<a xmlns:s="urn:1">${own}<s:b/></a>`;
  expect(sourceOf(text, childOf(read(text), 'b')!)).toBe(own);
});

test('what is escaped can be read back', () => {
  const text = `<&>"'ñ€`;
  expect(read(`<a>${escaped(text)}</a>`).rawText).toBe(text);
});

const bodyOf = (text: string) => childOf(read(text), 'Body')!.children[0]!;
const submission = (change: (text: string) => string) =>
  shapeFault(bodyOf(change(envelope([alta()]))), NAMESPACES.submission);

test.each<[string, (text: string) => string, string | null]>([
  ['as it should be', (text) => text, null],
  [
    'with a missing element',
    (text) => text.replace(/<sf:TipoFactura>F1<\/sf:TipoFactura>/, ''),
    'TipoFactura',
  ],
  [
    'with a foreign element',
    (text) => text.replace('<sf:TipoFactura>', '<sf:Otro/><sf:TipoFactura>'),
    'TipoFactura',
  ],
  [
    'with a repeated element',
    (text) => text.replace('<sf:TipoHuella>', '<sf:TipoHuella>01</sf:TipoHuella><sf:TipoHuella>'),
    'TipoHuella',
  ],
  ['with elements in text', (text) => text.replace('Servicios de prueba', '<sf:b/>'), 'b'],
  ['of another namespace', (text) => text.replaceAll(SF, `${SF}#`), 'ObligadoEmision'],
  [
    'with two identifications',
    (text) => text.replace('<sf:NIF>A39200019</sf:NIF>', '<sf:NIF>A39200019</sf:NIF><sf:IDOtro/>'),
    'IDOtro',
  ],
])('a submission %s', (_, change, element) => {
  expect(submission(change)?.element ?? null).toBe(element);
});

test('blocks have their limits', () => {
  const details = Array(13)
    .fill(/<sf:DetalleDesglose>.*<\/sf:DetalleDesglose>/.exec(alta().xml)![0])
    .join('');
  const built = alta({ details });
  expect(shapeFault(bodyOf(envelope([built])), NAMESPACES.submission)).toEqual({
    kind: 'too_many',
    element: 'DetalleDesglose',
  });
});

test('NIFs', () => {
  for (const nif of [
    '12345678Z',
    '89890001K',
    'X1234567L',
    'B00000000',
    'A39200019',
    'Q2826000H',
    'K1234567L',
  ]) {
    expect([nif, isNif(nif)]).toEqual([nif, true]);
  }
  for (const nif of ['12345678A', 'A84532509', '1234567', 'b00000000', '', 'I00000000']) {
    expect([nif, isNif(nif)]).toEqual([nif, false]);
  }
  expect(isPersonNif('B00000000')).toBe(false);
});

test('dates of the agency', () => {
  expect(dayOfAgencyDate('29-02-2028')).toBe('2028-02-29');
  for (const wrong of ['29-02-2026', '1-1-2026', '2026-01-01', '00-01-2026', '01-13-2026', '', null]) {
    expect(dayOfAgencyDate(wrong)).toBeNull();
  }
});

test("the agency's words", () => {
  expect(errorText(3000)).toBe('Registro de facturación duplicado.');
  expect(errorText(1143)).toBe(
    'Los campos CuotaRepercutida y BaseImponibleOimporteNoSujeto deben tener el mismo signo.',
  );
  expect(() => errorText(9999)).toThrow('9999');
});

const ENTRY: Omit<Entry, 'sequence' | 'number' | 'fingerprint'> = {
  ...{ receivedAt: '2026-07-01T10:00:00.000Z', requestId: '1', presenterNif: '00000000T', csv: null },
  ...{
    incident: false,
    kind: 'alta',
    nif: 'B00000000',
    date: '01-07-2026',
    operationDate: null,
    invoiceType: 'F1',
  },
  ...{ total: '121.00', reference: null, amendment: false, previouslyRejected: null, installation: 'I' },
  ...{ previousFingerprint: null, link: 'first', state: 'Correcto', code: null, description: null },
};

test('what is kept outlives the process, and a line cut off by its death is left out', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lacre-simulator-'));
  const file = join(folder, 'inner', 'received.jsonl');
  try {
    const first = new Store(file);
    first.add({ ...ENTRY, number: 'F-1', fingerprint: 'A' }, '<a>ñ\n</a>');
    first.add({ ...ENTRY, number: 'F-2', fingerprint: 'B', previousFingerprint: 'A' }, '<b/>');
    first.close();
    expect(statSync(file).mode & 0o777).toBe(0o600);
    appendFileSync(file, '{"sequence":3,"receivedAt":"2026');
    const second = new Store(file);
    expect(second.count).toBe(2);
    expect(second.xmlOf(second.newest(2)[1]!)).toBe('<a>ñ\n</a>');
    expect(second.invoice('B00000000', 'F-2', '01-07-2026')?.latest.fingerprint).toBe('B');
    second.add({ ...ENTRY, number: 'F-3', fingerprint: 'C', previousFingerprint: 'B' }, '<c/>');
    expect(second.xmlOf(second.newest(1)[0]!)).toBe('<c/>');
    second.close();
    expect(readFileSync(file, 'utf8').trimEnd().split('\n')).toHaveLength(3);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

const disk = smallDisk(1);
afterAll(() => disk?.remove());

test.skipIf(disk === null)('what a full disk refuses is as if it had never come, and is taken later', () => {
  const file = join(disk!.path, 'received.jsonl');
  const store = new Store(file);
  store.add({ ...ENTRY, number: 'F-1', fingerprint: 'A' }, '<a/>');
  store.flush();
  const held = () => [
    [store.count, store.invoiceCount, store.size, store.acceptedIn('B00000000', 'I')],
    store.linkOf('B00000000', 'I', 'C', 'A'),
    store.invoice('B00000000', 'F-1', '01-07-2026')?.latest.fingerprint,
    store.invoicesOf('B00000000').length,
  ];
  const before = held();
  const add = () => {
    const cancelled = {
      kind: 'anulacion',
      number: 'F-1',
      fingerprint: 'B',
      previousFingerprint: 'A',
    } as const;
    store.add({ ...ENTRY, ...cancelled }, '<b/>'.repeat(5_000));
    store.add({ ...ENTRY, number: 'F-2', fingerprint: 'C', previousFingerprint: 'B' }, '<c/>');
    store.add({ ...ENTRY, number: 'G-1', fingerprint: 'D', installation: 'II' }, '<d/>');
  };
  disk!.fill(0);
  add();
  expect(() => store.flush()).toThrow('ENOSPC');
  expect(held()).toEqual(before);
  expect(store.linkOf('B00000000', 'II', 'D', null)).toBe('first');
  disk!.free();
  add();
  store.close();
  const again = new Store(file);
  expect([again.count, again.invoiceCount, again.size]).toEqual([4, 3, statSync(file).size]);
  again.close();
});

test('the link of a record shows how it fits the chain as it was received, refused records included', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lacre-simulator-'));
  const store = new Store(join(folder, 'received.jsonl'));
  const linkOf = (fingerprint: string, previous: string | null) =>
    store.linkOf('B00000000', 'I', fingerprint, previous);
  try {
    expect(linkOf('A', null)).toBe('first');
    expect(linkOf('A', 'Z')).toBe('unknown');
    store.add({ ...ENTRY, number: 'F-1', fingerprint: 'A' }, '<a/>');
    store.add({ ...ENTRY, number: 'F-2', fingerprint: 'B', state: 'Incorrecto', code: 1110 }, '<b/>');
    expect(linkOf('C', 'B')).toBe('continues');
    expect(linkOf('C', 'A')).toBe('forks');
    expect(linkOf('C', null)).toBe('forks');
    expect(linkOf('C', 'Z')).toBe('unknown');
    expect(linkOf('B', 'A')).toBe('repeats');
    expect(store.linkOf('B00000000', 'II', 'C', null)).toBe('first');
    expect([store.acceptedIn('B00000000', 'I'), store.invoiceCount]).toEqual([1, 1]);
  } finally {
    store.close();
    rmSync(folder, { recursive: true });
  }
});
