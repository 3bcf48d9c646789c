/** UnitOfMeasureType of the schema by UN/ECE Recommendation 20 and 21; what is not on it is 05, others. */
const UNITS: Readonly<Record<string, string>> = {
  C62: '01',
  EA: '01',
  H87: '01',
  HUR: '02',
  KGM: '03',
  LTR: '04',
  XBX: '06',
  XDS: '07',
  XBA: '08',
  XJY: '09',
  XBG: '10',
  XCO: '11',
  XBO: '12',
  XCI: '13',
  CLT: '15',
  CMT: '16',
  XBI: '17',
  DZN: '18',
  XCS: '19',
  XDJ: '20',
  GRM: '21',
  KMT: '22',
  XCA: '23',
  XBH: '24',
  MTR: '25',
  MMT: '26',
  XPK: '28',
  XRO: '30',
  XEN: '31',
  XTB: '32',
  MTQ: '33',
  SEC: '34',
  WTT: '35',
  KWH: '36',
};

const OTHERS = '05';

/** The format's code of a unit; null where the invoice names none. */
export function unitCode(unit: string | null): string | null {
  return unit === null ? null : (UNITS[unit] ?? OTHERS);
}
