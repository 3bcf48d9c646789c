/** The printed labels of the most common units of measure; of others the code is printed. */

const SYMBOLS: Readonly<Record<string, string>> = {
  // A count needs no unit: the description names it.
  ...{ C62: '', H87: '', EA: '' },
  ...{ KGM: 'kg', GRM: 'g', MGM: 'mg', TNE: 't', LTR: 'l', MLT: 'ml', HLT: 'hl' },
  ...{ MTR: 'm', CMT: 'cm', MMT: 'mm', KMT: 'km', MTK: 'm²', MTQ: 'm³', HAR: 'ha' },
  ...{ KWH: 'kWh', MWH: 'MWh', SEC: 's', MIN: 'min', HUR: 'h', DAY: 'd' },
};

const LABELS = {
  es: { WEE: 'sem.', MON: 'mes', ANN: 'año' },
  en: { WEE: 'wk', MON: 'mo.', ANN: 'yr' },
  ca: { WEE: 'setm.', MON: 'mes', ANN: 'any' },
  gl: { WEE: 'sem.', MON: 'mes', ANN: 'ano' },
  eu: { WEE: 'aste', MON: 'hil.', ANN: 'urte' },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The label of a unit of UN/ECE Recommendation 20; empty for one that need not be printed. */
export function unitLabel(code: string, language: keyof typeof LABELS): string {
  const labels: Readonly<Record<string, string>> = LABELS[language];
  return labels[code] ?? SYMBOLS[code] ?? code;
}
