import { isNif } from './tax-ids.ts';

/** What the census answers for a NIF and a name, verbatim; null when it does not answer. */
export type CensusResult =
  | 'IDENTIFICADO'
  | 'IDENTIFICADO-BAJA'
  | 'IDENTIFICADO-REVOCADO'
  | 'NO IDENTIFICADO'
  | 'NO IDENTIFICADO-SIMILAR'
  | 'NO PROCESADO';

/** Names with a fixed outcome, so that every one can be shown. */
const OUTCOMES: ReadonlyMap<string, CensusResult | null> = new Map<string, CensusResult | null>([
  ['NO CENSADO SL', 'NO IDENTIFICADO'],
  ['CENSO CAIDO SL', null],
  ['REVOCADO SL', 'IDENTIFICADO-REVOCADO'],
  ['BAJA SL', 'IDENTIFICADO-BAJA'],
  ['NO PROCESADO SL', 'NO PROCESADO'],
]);

/** The name as the census writes it: capitals, single spaces. */
function censusName(name: string): string {
  return name.trim().replaceAll(/\s+/g, ' ').toUpperCase();
}

/** The census knows these names in another spelling: without this word. */
const SIMILAR = 'SIMILAR ';

/** The name that the census answers: its own if it identifies the NIF or knows a similar name, else the one that was asked for. */
export function answeredName(name: string, result: CensusResult): string {
  if (result === 'NO IDENTIFICADO-SIMILAR') return censusName(name).slice(SIMILAR.length);
  return result.startsWith('IDENTIFICADO') ? censusName(name) : name;
}

/** Every well-formed NIF is in the census under every name, but for the names with a fixed outcome. */
export function censusResult(nif: string, name: string): CensusResult | null {
  const fixed = OUTCOMES.get(censusName(name));
  if (fixed !== undefined) return fixed;
  if (censusName(name).startsWith(SIMILAR)) return 'NO IDENTIFICADO-SIMILAR';
  return isNif(nif.trim().toUpperCase()) ? 'IDENTIFICADO' : 'NO IDENTIFICADO';
}

/** Whether the registration service finds the pair in the census; it does not fail when the census service does. */
export function isInCensus(nif: string, name: string): boolean {
  return !(censusResult(nif, name) ?? 'IDENTIFICADO').startsWith('NO IDENTIFICADO');
}
