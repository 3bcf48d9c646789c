import { describe, expect, test } from 'vitest';
import { clock } from '../../src/ground/lib/clock.ts';
import {
  type AltaValues,
  alta,
  anulacion,
  type Built,
  DETAIL,
  detail,
  ISSUER,
  otherId,
  SOFTWARE,
} from '../support/agency/declared-records.ts';
import { type Case, judge, to } from '../support/agency/verdicts.ts';

const verdictOn = judge();

const simplified = (details = DETAIL): Partial<AltaValues> => ({ type: 'F2', recipients: '', details });
const zero = { quotaTotal: '0.00', total: '100.00' };
const reference =
  '<sf:IDEmisorFactura>B00000000</sf:IDEmisorFactura><sf:NumSerieFactura>F-0</sf:NumSerieFactura>' +
  '<sf:FechaExpedicionFactura>01-06-2026</sf:FechaExpedicionFactura>';
const rectified = `<sf:FacturasRectificadas><sf:IDFacturaRectificada>${reference}</sf:IDFacturaRectificada></sf:FacturasRectificadas>`;
const substituted = (number: string) =>
  `<sf:FacturasSustituidas><sf:IDFacturaSustituida>${reference.replace('F-0', number)}</sf:IDFacturaSustituida></sf:FacturasSustituidas>`;
const returned = {
  details: detail({ base: '-100.00', quota: '-21.00' }),
  ...{ quotaTotal: '-21.00', total: '-121.00' },
};
const rectifiedAmounts =
  '<sf:ImporteRectificacion><sf:BaseRectificada>1.00</sf:BaseRectificada>' +
  '<sf:CuotaRectificada>0.21</sf:CuotaRectificada></sf:ImporteRectificacion>';
const byDifferences = { rectification: `<sf:TipoRectificativa>I</sf:TipoRectificativa>${rectified}` };
const bySubstitution = `<sf:TipoRectificativa>S</sf:TipoRectificativa>${rectified}`;
/** 5 % with a surcharge, on an operation of that day. */
const five = (operationDate: string, rate: string, amount: string): Partial<AltaValues> => ({
  operationDate,
  details: detail({ rate: '5', quota: '5.00', surcharge: [rate, amount] }),
  quotaTotal: '5.50',
  total: '105.50',
});

const cases: Record<string, Case[]> = {
  'an ordinary record': [
    ['complete', {}, 'Correcto'],
    ['simplified', simplified(), 'Correcto'],
    ['a delta', { type: 'R1', ...byDifferences }, 'Correcto'],
    ['a substitution', { type: 'R4', rectification: bySubstitution + rectifiedAmounts }, 'Correcto'],
    ['an exchange', { type: 'F3', rectification: substituted('T-1') }, 'Correcto'],
    ['an exchange of a return', { type: 'F3', rectification: substituted('R-1'), ...returned }, 'Correcto'],
    [
      'the return before it',
      { type: 'R5', recipients: '', rectification: byDifferences.rectification, ...returned },
      'Correcto',
    ],
    ['of another day, with reference', { operationDate: '30-06-2026', reference: 'inv_1' }, 'Correcto'],
    ['exempt', { details: detail({ exemption: 'E1' }), ...zero }, 'Correcto'],
    ['an export', { details: detail({ key: '02', exemption: 'E2' }), ...zero }, 'Correcto'],
    ['not subject', { details: detail({ operation: 'N1' }), ...zero }, 'Correcto'],
    ['OSS', { details: detail({ key: '17', operation: 'N2' }), ...zero }, 'Correcto'],
    [
      'IGIC',
      { details: detail({ tax: '03', rate: '7', quota: '7.00' }), quotaTotal: '7', total: '107' },
      'Correcto',
    ],
    ['other tax without key', { details: detail({ tax: '05', key: '' }) }, 'Correcto'],
    [
      'reverse charge',
      { details: detail({ operation: 'S2', rate: '0', quota: '0.00' }), ...zero },
      'Correcto',
    ],
    [
      'with surcharge',
      { details: detail({ surcharge: ['5.2', '5.20'] }), quotaTotal: '26.20', total: '126.20' },
      'Correcto',
    ],
    [
      'an EU delivery to a VAT number',
      { details: detail({ exemption: 'E5' }), ...zero, ...to(otherId('02', 'DE123456789')) },
      'Correcto',
    ],
    ['a passport', to(otherId('03', 'X1', 'ES')), 'Correcto'],
  ],
  'identity, dates and texts': [
    ['another issuer than the header', { nif: 'A39200019' }, '1108'],
    ['an empty number', { number: '' }, '1104'],
    ['a number of 61 characters', { number: 'F'.repeat(61) }, '1104'],
    ['an equals sign in the number', { number: 'F=1' }, '1287'],
    ['a letter beyond ASCII in the number', { number: 'Ñ-1' }, '1130'],
    ['a date that is none', { date: '31-06-2026' }, '1105'],
    ['a date of tomorrow', { date: '02-07-2026' }, '1112'],
    ['a date before the law', { date: '27-10-2024' }, '1152'],
    ['a long reference', { reference: 'r'.repeat(61) }, '1253'],
    ['an unknown type', { type: 'F9' }, '1106'],
    ['no description', { description: '' }, '1100'],
    ['a description of 501', { description: 'd'.repeat(501) }, '1100'],
    ['an operation after its invoice', { date: '30-06-2026', operationDate: '01-07-2026' }, '1146'],
    ['an operation of tomorrow', { operationDate: '02-07-2026' }, '1173'],
    ['an operation of the last century', { operationDate: '01-01-1999' }, '1134'],
    ['an operation in two years', { operationDate: '01-01-2029' }, '1125'],
    ['a wrong operation date', { operationDate: '2026-06-30' }, '1145'],
    ['Macrodato without cause', { afterDescription: '<sf:Macrodato>S</sf:Macrodato>' }, '1138'],
    [
      'a hundred million without Macrodato',
      {
        details: detail({ base: '100000000.00', quota: '21000000.00' }),
        quotaTotal: '21000000.00',
        total: '121000000.00',
      },
      '1139',
    ],
    [
      'art. 6.1.d on a complete invoice',
      {
        afterDescription:
          '<sf:FacturaSinIdentifDestinatarioArt61d>S</sf:FacturaSinIdentifDestinatarioArt61d>',
      },
      '1185',
    ],
  ],
  'what came before': [
    [
      'previously rejected without amendment (X)',
      { flags: '<sf:RechazoPrevio>X</sf:RechazoPrevio>' },
      '1153',
    ],
    [
      'previously rejected without amendment (S)',
      { flags: '<sf:RechazoPrevio>S</sf:RechazoPrevio>' },
      '1161',
    ],
    ['a wrong flag', { flags: '<sf:Subsanacion>Y</sf:Subsanacion>' }, '1171'],
    ['an amendment of nothing', { flags: '<sf:Subsanacion>S</sf:Subsanacion>' }, '3002'],
    [
      'an amendment after a rejected first',
      { flags: '<sf:Subsanacion>S</sf:Subsanacion><sf:RechazoPrevio>X</sf:RechazoPrevio>' },
      'Correcto',
    ],
  ],
  rectifications: [
    ['without method', { type: 'R1', rectification: rectified }, '1114'],
    ['a method on an original', byDifferences, '1115'],
    [
      'a wrong method',
      { type: 'R1', rectification: '<sf:TipoRectificativa>X</sf:TipoRectificativa>' },
      '1107',
    ],
    ['rectified invoices on an original', { rectification: rectified }, '1117'],
    ['a substitution without amounts', { type: 'R1', rectification: bySubstitution }, '1118'],
    [
      'a delta with amounts',
      { type: 'R1', rectification: byDifferences.rectification + rectifiedAmounts },
      '1119',
    ],
    [
      'an exchange on another type',
      {
        rectification: substituted('F-0'),
      },
      '1116',
    ],
    ['an exchange for nobody', { type: 'F3', recipients: '', rectification: substituted('T-1') }, '1189'],
    [
      'an exchanged issuer that is none',
      { type: 'F3', rectification: substituted('T-1').replace('B00000000', 'B00000001') },
      '1154',
    ],
    [
      'a rectified issuer that is none',
      { type: 'R1', rectification: byDifferences.rectification.replace('B00000000', 'B00000001') },
      '1154',
    ],
  ],
  'taxes, keys and classes': [
    [
      'neither class nor exemption',
      { details: detail({ operation: '', rate: '21', quota: '21.00' }) },
      '1195',
    ],
    ['both', { details: detail({ operation: 'S1', exemption: 'E1' }) }, '1196'],
    ['an unknown class', { details: detail({ operation: 'S9' }) }, '1181'],
    ['an exemption of IGIC alone', { details: detail({ exemption: 'E7' }), ...zero }, '1182'],
    ['an unknown tax', { details: detail({ tax: '04' }) }, '1218'],
    ['IVA without key', { details: detail({ key: '' }) }, '1245'],
    ['a key of IGIC on IVA', { details: detail({ key: '21' }) }, '1246'],
    ['another tax with key', { details: detail({ tax: '05' }) }, '1260'],
    ['IPSI without key', { details: detail({ tax: '02', key: '' }) }, '2009 accepted'],
    ['reverse charge on a ticket', simplified(detail({ operation: 'S2', rate: '0', quota: '0' })), '1197'],
    ['reverse charge with a rate', { details: detail({ operation: 'S2', rate: '21', quota: '0' }) }, '1198'],
    ['export under the general key', { details: detail({ exemption: 'E2' }), ...zero }, '1199'],
    ['key 02 with a class', { details: detail({ key: '02' }) }, '1286'],
    ['key 04 with tax', { details: detail({ key: '04' }) }, '1201'],
    ['key 04 exempt', { details: detail({ key: '04', exemption: 'E1' }), ...zero }, 'Correcto'],
    ['key 07 not subject', { details: detail({ key: '07', operation: 'N1' }) }, '1203'],
    ['key 08 with tax', { details: detail({ key: '08' }) }, '1252'],
    [
      'key 10 to a foreigner',
      { details: detail({ key: '10', operation: 'N1' }), ...to(otherId('03', 'X', 'FR')) },
      '1205',
    ],
    ['key 11 at 10 %', { details: detail({ key: '11', rate: '10', quota: '10.00' }) }, '1206'],
    ['key 11 at 21 %', { details: detail({ key: '11' }) }, 'Correcto'],
    ['key 11 not subject', { details: detail({ key: '11', operation: 'N1' }), ...zero }, '1206'],
    ['key 11 exempt', { details: detail({ key: '11', exemption: 'E1' }), ...zero }, '1206'],
    [
      'key 11 of IGIC',
      { details: detail({ tax: '03', key: '11', rate: '7', quota: '7.00' }), quotaTotal: '7', total: '107' },
      'Correcto',
    ],
    ['key 14 without its date', { details: detail({ key: '14' }) }, '1147'],
    ['key 20 of IGIC with tax', { details: detail({ tax: '03', key: '20' }) }, '1293'],
    ['tax without quota', { details: detail({ quota: '' }) }, '1208'],
    ['not subject, with quota', { details: detail({ operation: 'N1', quota: '21.00' }) }, '1237'],
    [
      'not subject to IGIC, with quota',
      { details: detail({ tax: '03', operation: 'N1', quota: '7.00' }) },
      '1207',
    ],
    ['exempt, with rate', { details: detail({ exemption: 'E1', rate: '0' }) }, '1238'],
    ['a rate nobody knows', { details: detail({ rate: '20', quota: '20.00' }) }, '1124'],
    ['5 % after its time', { details: detail({ rate: '5', quota: '5.00' }) }, '1194'],
    [
      '2 % on its last day',
      {
        date: '31-12-2024',
        details: detail({ rate: '2', quota: '2.00' }),
        quotaTotal: '2.00',
        total: '102.00',
      },
      'Correcto',
    ],
    ['2 % on the day after', { date: '01-01-2025', details: detail({ rate: '2', quota: '2.00' }) }, '1235'],
    ['7.5 % after its time', { details: detail({ rate: '7.5', quota: '7.50' }) }, '1236'],
    ['a rate with three decimals', { details: detail({ rate: '21.000' }) }, '1100'],
    ['surcharge without amount', { details: detail({ surcharge: ['5.2', ''] }) }, '1284'],
    ['surcharge of another rate', { details: detail({ surcharge: ['1.4', '1.40'] }) }, '1162'],
    ['5 % in 2022 with 0.5', five('31-12-2022', '0.5', '0.50'), 'Correcto'],
    ['5 % in 2022 with 0.62', five('31-12-2022', '0.62', '0.62'), '1167'],
    ['5 % in 2023 with 0.62', five('01-01-2023', '0.62', '0.62'), 'Correcto'],
    ['5 % in 2023 with 0.5', five('01-01-2023', '0.5', '0.50'), '1168'],
    ['5 % on its last day with 0.62', five('30-09-2024', '0.62', '0.62'), 'Correcto'],
    ['5 % with the surcharge of another rate', five('01-01-2023', '1.4', '1.40'), '1160'],
    ['5 % with surcharge after its time', five('01-10-2024', '0.62', '0.62'), '1194'],
    [
      '0 % with a surcharge in 2022',
      { operationDate: '31-12-2022', details: detail({ rate: '0', quota: '0', surcharge: ['0.5', '0.5'] }) },
      '1277',
    ],
    [
      '0 % with a surcharge in 2023',
      { operationDate: '01-01-2023', details: detail({ rate: '0', quota: '0', surcharge: ['0.5', '0.5'] }) },
      '1165',
    ],
    ['surcharge nobody knows', { details: detail({ surcharge: ['3', '3.00'] }) }, '1127'],
    [
      'surcharge on reverse charge',
      { details: detail({ operation: 'S2', rate: '0', quota: '0', surcharge: ['5.2', '0'] }) },
      '1281',
    ],
  ],
  amounts: [
    [
      'a quota 10.00 off',
      { details: detail({ quota: '31.00' }), quotaTotal: '31.00', total: '131.00' },
      'Correcto',
    ],
    ['a quota 10.01 off', { details: detail({ quota: '31.01' }) }, '1142'],
    ['base and quota of different sign', { details: detail({ base: '-100.00', quota: '0.01' }) }, '1143'],
    [
      'the same on a delta',
      {
        type: 'R1',
        ...byDifferences,
        details: detail({ base: '-100.00', quota: '0.01' }),
        quotaTotal: '0.01',
        total: '-99.99',
      },
      'Correcto',
    ],
    ['a total 10.00 off', { total: '131.00' }, 'Correcto'],
    ['a total 10.01 off', { total: '131.01' }, '2005 accepted'],
    ['a quota total 10.01 off', { quotaTotal: '31.01' }, '2006 accepted'],
    ['a total that is no amount', { total: '121,00' }, '1100'],
    ['a total of 13 digits', { total: '1234567890123.00' }, '1267'],
    ['a quota total of 13 digits', { quotaTotal: '1234567890123.00' }, '1266'],
    [
      'a ticket of 3,010.00',
      { ...simplified(detail({ base: '2487.60', quota: '522.40' })), quotaTotal: '522.40', total: '3010.00' },
      'Correcto',
    ],
    [
      'a ticket of 3,010.01',
      { ...simplified(detail({ base: '2487.61', quota: '522.40' })), quotaTotal: '522.40', total: '3010.01' },
      '1150',
    ],
  ],
  'system, chain, clock and fingerprint': [
    ['a system code of one character', { software: SOFTWARE.replace('>P1<', '>P<') }, '1177'],
    ['a system without name', { software: SOFTWARE.replace('>Prueba<', '><') }, '1220'],
    ['a producer that is none', { software: SOFTWARE.replace('B00000000', 'B00000001') }, '1176'],
    ['no installation', { installation: '' }, '1179'],
    ['a wrong fingerprint', { fingerprint: 'A'.repeat(64) }, '2000 accepted'],
    ['a fingerprint in small letters', { fingerprint: 'a'.repeat(64) }, '2000 accepted'],
    ['a short fingerprint', { fingerprint: 'A'.repeat(63) }, '1262'],
    ['a fingerprint with a hyphen', { fingerprint: `${'A'.repeat(63)}-` }, '1292'],
    ['a clock four minutes ahead', { timestamp: '2026-07-01T12:04:00+02:00' }, 'Correcto'],
    ['a clock further ahead', { timestamp: '2026-07-01T12:04:01+02:00' }, '2004 accepted'],
    ['a record of last month', { timestamp: '2026-06-01T12:00:00+02:00' }, 'Correcto'],
    ['a thirtieth of February', { timestamp: '2026-02-30T12:00:00+01:00' }, '1244'],
    ['fractions of a second', { timestamp: '2026-07-01T12:00:00.000+02:00' }, '1244'],
  ],
};

describe.each(Object.entries(cases))('the agency on %s', (_, list) => {
  test.each(list)('%s', (_why, values, expected) => {
    expect(verdictOn(alta(values))).toBe(expected);
  });
});

const PREVIOUS = { nif: ISSUER.nif, number: 'F-0', date: '01-06-2026', fingerprint: 'C'.repeat(64) };

test.each([
  ['in order', {}, 'Correcto'],
  ['whose fingerprint is short', { fingerprint: 'C'.repeat(63) }, '2002 accepted'],
  ['whose fingerprint is in small letters', { fingerprint: 'c'.repeat(64) }, '2003 accepted'],
  ['whose fingerprint has a hyphen', { fingerprint: `${'C'.repeat(63)}-` }, '1291'],
  ['without number', { number: '' }, '1175'],
  ['with a wrong date', { date: '2026-06-01' }, '1174'],
  ['of no issuer', { nif: '' }, '1269'],
])('a link to a previous record %s', (_, wrong, expected) => {
  expect(verdictOn(alta({ previous: { ...PREVIOUS, ...wrong } }))).toBe(expected);
});

test('a record that names itself as its predecessor', () => {
  const fingerprint = 'D'.repeat(64);
  const built = alta({ previous: { ...PREVIOUS, fingerprint }, fingerprint });
  expect(verdictOn(built)).toBe('2008 accepted');
});

test('a flagged answer never hides a later refusal', () => {
  expect(verdictOn(alta({ total: '200.00', software: '' }))).toBe('1179');
});

test.each<[among: string, values: Partial<AltaValues>, expected: string]>([
  ['total and quota total', { total: '200.00', quotaTotal: '31.01' }, '2005 accepted'],
  ['quota total and fingerprint', { quotaTotal: '31.01', fingerprint: 'A'.repeat(64) }, '2000 accepted'],
  [
    'clock and total',
    { timestamp: '2026-07-01T12:04:01+02:00', total: '200.00', fingerprint: '' },
    '2005 accepted',
  ],
  [
    'IPSI without key and total',
    { details: detail({ tax: '02', key: '' }), total: '200.00' },
    '2005 accepted',
  ],
])('of several flags that comes first which the agency lists first: %s', (_, values, expected) => {
  expect(verdictOn(alta(values))).toBe(expected);
});

test('an agreement that the agency does not know', () => {
  const { xml, id } = alta();
  const agreed = (name: string): Built => ({
    xml: xml.replace('<sf:TipoHuella>', `<sf:${name}>A1</sf:${name}><sf:TipoHuella>`),
    id,
  });
  expect(verdictOn(agreed('NumRegistroAcuerdoFacturacion'))).toBe('1128');
  expect(verdictOn(agreed('IdAcuerdoSistemaInformatico'))).toBe('1242');
});

test('from 2027 on IPSI without its key is refused', () => {
  clock.freeze(new Date('2027-01-01T10:00:00Z'));
  expect(verdictOn(alta({ details: detail({ tax: '02', key: '' }) }))).toBe('1245');
});

test.each([
  ['SIMULATE-REJECT', '', '1110'],
  ['before SIMULATE-FLAG after', '', '2001 accepted'],
  ['SIMULATE-REJECT', '<sf:Subsanacion>S</sf:Subsanacion><sf:RechazoPrevio>X</sf:RechazoPrevio>', '1110'],
  ['SIMULATE-REJECT-ONCE', '', '1110'],
  [
    'SIMULATE-REJECT-ONCE',
    '<sf:Subsanacion>S</sf:Subsanacion><sf:RechazoPrevio>X</sf:RechazoPrevio>',
    'Correcto',
  ],
])('the trigger %s with flags "%s" gives %s', (description, flags, expected) => {
  expect(verdictOn(alta({ description, flags }))).toBe(expected);
});

test('a cancellation without a previous record must be flagged as such', () => {
  const { id } = alta();
  expect(verdictOn(anulacion(id))).toBe('3002');
  expect(verdictOn(anulacion(id, { flags: '<sf:SinRegistroPrevio>S</sf:SinRegistroPrevio>' }))).toBe(
    'Correcto',
  );
  expect(verdictOn(anulacion(id, { flags: '<sf:SinRegistroPrevio>X</sf:SinRegistroPrevio>' }))).toBe('1276');
  expect(verdictOn(anulacion(id, { flags: '<sf:GeneradoPor>E</sf:GeneradoPor>' }))).toBe('1224');
});
