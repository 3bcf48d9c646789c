import { describe, expect, test } from 'vitest';
import {
  type AltaValues,
  alta,
  anulacion,
  DETAIL,
  detail,
  ISSUER,
  otherId,
  person,
  RECIPIENT,
  SOFTWARE,
} from '../support/agency/declared-records.ts';
import { type Case, judge, to } from '../support/agency/verdicts.ts';

const verdictOn = judge();

const BY_DIFFERENCES = { rectification: '<sf:TipoRectificativa>I</sf:TipoRectificativa>' };
const PRODUCER_NIF = '<sf:NIF>B00000000</sf:NIF>';
const producedBy = (identification: string) => ({
  software: SOFTWARE.replace(PRODUCER_NIF, identification),
});
const issuedBy = (who: string, third = ''): Partial<AltaValues> => ({
  afterDescription:
    `<sf:EmitidaPorTerceroODestinatario>${who}</sf:EmitidaPorTerceroODestinatario>` +
    (third && `<sf:Tercero><sf:NombreRazon>TERCERA SL</sf:NombreRazon>${third}</sf:Tercero>`),
});

const cases: Record<string, Case[]> = {
  recipients: [
    ['none on a complete invoice', { recipients: '' }, '1189'],
    ['one on a simplified invoice', { type: 'F2' }, '1190'],
    ['a NIF with a wrong control', to('<sf:NIF>A39200018</sf:NIF>'), '1123'],
    ['not in the census', { recipients: person('No censado  SL', '<sf:NIF>A39200019</sf:NIF>') }, '1110'],
    ['a person without name', { recipients: person('', '<sf:NIF>12345678Z</sf:NIF>') }, '1283'],
    ['a company without name', { recipients: person('', '<sf:NIF>A39200019</sf:NIF>') }, '1239'],
    ['a NIF that is called VAT number', to(otherId('02', 'ESA39200019', 'ES')), '1234'],
    ['the issuer itself', to(`<sf:NIF>${ISSUER.nif}</sf:NIF>`), 'Correcto'],
    ['an unknown kind of id', to(otherId('01', 'X', 'FR')), '1102'],
    ['an unknown country', to(otherId('04', 'X', 'XK')), '1101'],
    ['no country', to(otherId('04', 'X')), '1111'],
    ['Spain for a foreign document', to(otherId('04', 'X', 'ES')), '1234'],
    ['a VAT number of a wrong form', to(otherId('02', 'DE12345678')), '1103'],
    ['a VAT number nobody has', to(otherId('02', 'DE123456200')), '1121'],
    ['a country that is not the prefix', to(otherId('02', 'EL123456789', 'GR')), '1122'],
    ['Great Britain', to(otherId('02', 'GB123456789')), '1255'],
    ['Northern Ireland', to(otherId('02', 'XI123456789')), 'Correcto'],
    ['outside the census', to(otherId('07', '12345678Z', 'ES')), '2001 accepted'],
    ['outside the census, abroad', to(otherId('07', '12345678Z', 'FR')), '1126'],
    ['outside the census, a company', to(otherId('07', 'A39200019', 'ES')), '1131'],
    ['outside the census, no NIF', to(otherId('07', '12345678A', 'ES')), '1290'],
    ['uncollectible, EU', { type: 'R3', ...BY_DIFFERENCES, ...to(otherId('02', 'DE123456789')) }, '1191'],
    ['insolvency, passport', { type: 'R2', ...BY_DIFFERENCES, ...to(otherId('03', 'X', 'FR')) }, '1192'],
    ['insolvency, EU', { type: 'R2', ...BY_DIFFERENCES, ...to(otherId('02', 'DE123456789')) }, 'Correcto'],
    [
      'a delivery within the EU to a NIF',
      { details: detail({ exemption: 'E5' }), quotaTotal: '0.00', total: '100.00' },
      '1289',
    ],
  ],
  'issuers in the issuer’s stead': [
    ['a third party', issuedBy('T', '<sf:NIF>A39200019</sf:NIF>'), 'Correcto'],
    ['the recipient', issuedBy('D'), 'Correcto'],
    ['an unknown kind', issuedBy('E'), '1151'],
    ['a third party that is not named', issuedBy('T'), '1186'],
    ['one named beside the recipient', issuedBy('D', '<sf:NIF>A39200019</sf:NIF>'), '1159'],
    [
      'one that issues for nobody',
      { afterDescription: issuedBy('T', PRODUCER_NIF).afterDescription!.replace(/^.*?(?=<sf:Tercero>)/, '') },
      '1155',
    ],
    ['the recipient of a ticket', { type: 'F2', recipients: '', ...issuedBy('D') }, '1158'],
    ['the issuer itself', issuedBy('T', `<sf:NIF>${ISSUER.nif}</sf:NIF>`), '1188'],
    ['a NIF with a wrong control', issuedBy('T', '<sf:NIF>A39200018</sf:NIF>'), '1123'],
    ['outside the census', issuedBy('T', otherId('07', '12345678Z', 'ES')), '1211'],
    ['Spain for a foreign document', issuedBy('T', otherId('04', 'X', 'ES')), '1232'],
    ['a Spanish passport', issuedBy('T', otherId('03', 'X', 'ES')), 'Correcto'],
    [
      'one without name',
      {
        afterDescription: issuedBy('T', otherId('03', 'X', 'FR')).afterDescription!.replace('TERCERA SL', ''),
      },
      '1178',
    ],
  ],
  producers: [
    ['a producer without NIF', producedBy('<sf:NIF></sf:NIF>'), '1223'],
    ['a producer abroad', producedBy(otherId('02', 'DE123456789')), 'Correcto'],
    ['a producer whose VAT number has a wrong form', producedBy(otherId('02', 'DE12345678')), '1103'],
    ['a producer whose VAT number nobody has', producedBy(otherId('02', 'DE123456200')), '1121'],
    ['a producer with an unknown kind of id', producedBy(otherId('01', 'X', 'FR')), '1221'],
    ['a producer outside the census', producedBy(otherId('07', '12345678Z', 'ES')), '1221'],
    ['a Spanish producer with a foreign document', producedBy(otherId('04', 'X', 'ES')), '1232'],
    ['a Spanish producer with a passport', producedBy(otherId('03', 'X', 'ES')), 'Correcto'],
    ['a producer without country', producedBy(otherId('04', 'X')), '1111'],
    ['a producer without id', producedBy(otherId('04', '', 'FR')), '1222'],
    [
      'a producer of the census that the census does not know',
      { software: SOFTWARE.replace('PRODUCTORA SL', 'NO CENSADO SL') },
      'Correcto',
    ],
  ],
};

describe.each(Object.entries(cases))('the agency on %s', (_, list) => {
  test.each(list)('%s', (_why, values, expected) => {
    expect(verdictOn(alta(values))).toBe(expected);
  });
});

test.each([
  ['the recipient', 'D', '<sf:NIF>A39200019</sf:NIF>', 'Correcto'],
  ['the issuer', 'E', PRODUCER_NIF, 'Correcto'],
  ['the issuer by another id', 'E', otherId('03', 'X', 'FR'), '1227'],
  ['an unknown kind', 'X', '<sf:NIF>A39200019</sf:NIF>', '1225'],
  ['nobody', 'T', '<sf:NIF></sf:NIF>', '1228'],
  ['a NIF with a wrong control', 'T', '<sf:NIF>A39200018</sf:NIF>', '1258'],
  ['a third party that is the issuer', 'T', PRODUCER_NIF, '1259'],
  ['a third party outside the census', 'T', otherId('07', '12345678Z', 'ES'), '1229'],
  ['a Spanish third party with a foreign document', 'T', otherId('04', 'X', 'ES'), '1232'],
  ['a Spanish recipient with a foreign document', 'D', otherId('04', 'X', 'ES'), '1230'],
  ['a recipient outside the census', 'D', otherId('07', '12345678Z', 'ES'), 'Correcto'],
  ['an unknown kind of id', 'T', otherId('01', 'X', 'FR'), '1231'],
  ['a VAT number nobody has', 'T', otherId('02', 'DE123456200'), '1121'],
])('a cancellation generated by %s', (_why, by, identification, expected) => {
  const { id } = alta();
  const generator =
    `<sf:GeneradoPor>${by}</sf:GeneradoPor><sf:Generador><sf:NombreRazon>GENERADORA SL</sf:NombreRazon>` +
    `${identification}</sf:Generador>`;
  const flags = `<sf:SinRegistroPrevio>S</sf:SinRegistroPrevio>${generator}`;
  expect(verdictOn(anulacion(id, { flags }))).toBe(expected);
});

test('several recipients and details are each looked at', () => {
  const recipients = RECIPIENT + person('NO CENSADO SL', '<sf:NIF>A39200019</sf:NIF>');
  expect(verdictOn(alta({ recipients }))).toBe('1110');
  expect(verdictOn(alta({ details: DETAIL + detail({ rate: '20' }) }))).toBe('1124');
});
