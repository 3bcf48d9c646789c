import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Name, newAuthority, person, representative, seal } from '../support/agency/certificates.ts';
import {
  alta,
  anulacion,
  type Built,
  consulta,
  envelope,
  today,
} from '../support/agency/declared-records.ts';
import {
  agencySchemas,
  faultCode,
  newDataDir,
  type Reply,
  type TestSimulator,
  testSimulator,
  textOf,
} from '../support/agency/simulator.ts';

const COMPANY = 'B72877814';
const SELF_EMPLOYED = '12345678Z';

const authority = newAuthority();
const dataDir = newDataDir();
let simulator: TestSimulator;

beforeAll(async () => {
  authority.equip(dataDir);
  simulator = await testSimulator({ dataDir });
});
afterAll(async () => {
  await simulator.stop();
  rmSync(dataDir, { recursive: true });
});

/** The same name with words added to its common name. */
const saying = (words: string, name: Name): Name =>
  name.map(([type, text]) => [type, type === '2.5.4.3' ? `${text} ${words}` : text] as const);

const COMMON_NAME = '2.5.4.3';
const SERIAL_NUMBER = '2.5.4.5';

function post(subject: Name, body: string): Promise<Reply> {
  return simulator.postAs(authority.issue({ subject }), body);
}

/** The state of each record, `Incorrecto 3003` where it has a code, or the fault's code. */
async function sent(subject: Name, records: readonly Built[], nif = COMPANY): Promise<string> {
  const reply = await post(subject, envelope(records, { name: 'EMISORA SL', nif }));
  if (reply.status !== 200) return faultCode(reply);
  expect(agencySchemas()?.check('RespuestaSuministro', reply.text) ?? []).toEqual([]);
  return [...reply.text.matchAll(/<tikR:RespuestaLinea>.*?<\/tikR:RespuestaLinea>/gs)]
    .map(([line]) => `${textOf(line, 'EstadoRegistro')} ${textOf(line, 'CodigoErrorRegistro')}`.trim())
    .join(', ');
}

let count = 0;
/** A first record of a chain of its own. */
function record(nif = COMPANY): Built {
  count += 1;
  return alta({ nif, number: `P-${count}`, installation: `P-${count}` });
}

test.each<[holder: string, subject: Name, issuer: string, expected: string]>([
  ['a representative of the issuer', representative(COMPANY), COMPANY, 'Correcto'],
  ['the issuer’s seal', seal(COMPANY), COMPANY, 'Correcto'],
  ['the person who is the issuer', person(SELF_EMPLOYED), SELF_EMPLOYED, 'Correcto'],
  [
    'a company whose certificate has the bare NIF',
    [
      [SERIAL_NUMBER, COMPANY],
      [COMMON_NAME, 'EMISORA SL'],
    ],
    COMPANY,
    'Correcto',
  ],
  ['a representative of another company', representative('A39200019'), COMPANY, '4112'],
  ['the representative for himself', representative('A39200019', SELF_EMPLOYED), SELF_EMPLOYED, '4112'],
  ['a stranger', person(SELF_EMPLOYED), COMPANY, '4112'],
  ['nobody', [[COMMON_NAME, 'EMISORA SL']], COMPANY, '4112'],
  ['a collaborator', saying('COLABORADOR', seal('A39200019')), COMPANY, 'Correcto'],
  ['the collaborator of the simulator’s own certificate', seal('B00000000'), COMPANY, 'Correcto'],
  ['the issuer, suspended', saying('SUSPENDIDO', seal(COMPANY)), COMPANY, '4141'],
  ['a collaborator, suspended', saying('COLABORADOR SUSPENDIDO', seal('A39200019')), COMPANY, '4141'],
])('the records of an issuer sent by %s', async (_, subject, issuer, expected) => {
  expect(await sent(subject, [record(issuer)], issuer)).toBe(expected);
});

test('who presented is in the answer: the company before the person', async () => {
  const body = envelope([record()], { name: 'EMISORA SL', nif: COMPANY });
  expect(textOf((await post(representative(COMPANY), body)).text, 'NIFPresentador')).toBe(COMPANY);
});

test('a holder without permission registers, and changes nothing that is held', async () => {
  const restricted = saying('SIN PERMISO', seal(COMPANY));
  const first = record();
  expect(await sent(restricted, [first])).toBe('Correcto');
  const amends = '<sf:Subsanacion>S</sf:Subsanacion>';
  const { nif, number } = first.id;
  const amendment = alta({ nif, number, installation: number, previous: first.id, flags: amends });
  const changes = [amendment, anulacion(first.id)];
  expect(await sent(restricted, changes)).toBe('Incorrecto 3003, Incorrecto 3003');
  expect(await sent(seal(COMPANY), changes)).toBe('Correcto, Correcto');
  // Of what is not held there is nothing to permit.
  const afterRejection = `${amends}<sf:RechazoPrevio>X</sf:RechazoPrevio>`;
  const unknown = alta({ nif, number: 'P-0', installation: 'P-0', flags: afterRejection });
  expect(await sent(restricted, [unknown])).toBe('Correcto');
  expect(await sent(restricted, [anulacion({ ...first.id, number: 'P-00' })])).toBe('Incorrecto 3002');
});

const [, month = '', year = ''] = today().split('-');
const asIssuer = consulta(year, month, '', '', COMPANY);
const asRecipient = asIssuer.replaceAll('ObligadoEmision>', 'Destinatario>');
const withFlag = (query: string, value: string) =>
  query.replace('</con:Cabecera>', `<sf:IndicadorRepresentante>${value}</sf:IndicadorRepresentante>$&`);
const extra = (query: string, name: string, value: string) =>
  query.replace(
    '</con:ConsultaFactuSistemaFacturacion>',
    `<con:DatosAdicionalesRespuesta><con:${name}>${value}</con:${name}></con:DatosAdicionalesRespuesta>$&`,
  );

test.each<[asked: string, subject: Name, query: string, expected: string]>([
  ['by the issuer', seal(COMPANY), asIssuer, '200'],
  ['by a collaborator of the issuer', seal('B00000000'), asIssuer, '200'],
  ['by somebody else than the issuer', seal('A39200019'), asIssuer, '4140'],
  ['by the recipient', seal(COMPANY), asRecipient, '200'],
  ['by somebody else than the recipient', seal('A39200019'), asRecipient, '4132'],
  ['by a collaborator, who represents no recipient', seal('B00000000'), asRecipient, '4132'],
  ['by one who is suspended', saying('SUSPENDIDO', seal(COMPANY)), asIssuer, '4141'],
  ['as a representative', seal(COMPANY), withFlag(asIssuer, 'S'), '200'],
  ['as a representative, wrongly', seal(COMPANY), withFlag(asIssuer, 'N'), '1249'],
  ['as a recipient’s representative', seal(COMPANY), withFlag(asRecipient, 'S'), '1261'],
  [
    'with the issuer’s name, wrongly',
    seal(COMPANY),
    extra(asIssuer, 'MostrarNombreRazonEmisor', 'X'),
    '1270',
  ],
  ['with the software, wrongly', seal(COMPANY), extra(asIssuer, 'MostrarSistemaInformatico', 'X'), '1271'],
  [
    'with the software, by the recipient',
    seal(COMPANY),
    extra(asRecipient, 'MostrarSistemaInformatico', 'S'),
    '1272',
  ],
  ['in another version', seal(COMPANY), asIssuer.replace('1.0</sf:IDVersion>', '2.0</sf:IDVersion>'), '1251'],
])('a query %s', async (_, subject, query, expected) => {
  const reply = await post(subject, query);
  expect(reply.status === 200 ? '200' : faultCode(reply)).toBe(expected);
});
