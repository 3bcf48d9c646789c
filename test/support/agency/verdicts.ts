import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { evaluate } from '../../../src/agency-simulator/evaluate.ts';
import { presenterNamed } from '../../../src/agency-simulator/presenter.ts';
import { Store } from '../../../src/agency-simulator/store.ts';
import { submittedRecord } from '../../../src/agency-simulator/submitted.ts';
import { dayAt } from '../../../src/agency-simulator/time.ts';
import { parseXml, type XmlElement } from '../../../src/agency-simulator/xml.ts';
import { clock } from '../../../src/ground/lib/clock.ts';
import { type AltaValues, type Built, ISSUER, person } from './declared-records.ts';

/** Why a record is judged so, what it has other than an ordinary one, and the verdict. */
export type Case = [reason: string, values: Partial<AltaValues>, expected: string];

export const to = (identification: string): Partial<AltaValues> => ({
  recipients: person('CLIENTE SA', identification),
});

/** Judges records on 1 July 2026, when nothing is held yet: `Correcto`, `1189` refused, `2001 accepted`. */
export function judge(): (built: Built) => string {
  let folder: string;
  let store: Store;
  beforeEach(() => {
    clock.freeze(new Date('2026-07-01T10:00:00Z'));
    folder = mkdtempSync(join(tmpdir(), 'lacre-simulator-'));
    store = new Store(join(folder, 'received.jsonl'));
  });
  afterEach(() => {
    clock.reset();
    store.close();
    rmSync(folder, { recursive: true });
  });
  return ({ xml }) => {
    const now = clock.now();
    const record = submittedRecord(parseXml(xml) as XmlElement);
    const presenter = presenterNamed(undefined);
    const context = { issuerNif: ISSUER.nif, presenter, now, today: dayAt(now), store };
    const { state, finding } = evaluate(record, context);
    if (finding === null) return state;
    return state === 'Incorrecto' ? String(finding.code) : `${finding.code} accepted`;
  };
}
