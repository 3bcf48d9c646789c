import type { Submitted } from '../submitted.ts';
import { textAt } from '../xml.ts';
import { type CheckContext, type Finding, finding, isNotYesNo } from './finding.ts';

/** The flags that relate an alta to earlier records (validations 3.1.3.2). */
export function* checkAmendmentFlags({ element }: Submitted): Generator<Finding> {
  const amends = textAt(element, 'Subsanacion');
  const rejected = textAt(element, 'RechazoPrevio');
  if (isNotYesNo(amends) || (rejected !== null && !['N', 'S', 'X'].includes(rejected))) yield finding(1171);
  if (rejected === 'X' && amends !== 'S') yield finding(1153);
  if (rejected === 'S' && amends !== 'S') yield finding(1161);
}

/** The flags of an anulacion. */
export function* checkCancellationFlags({ element }: Submitted): Generator<Finding> {
  if (isNotYesNo(textAt(element, 'RechazoPrevio'))) yield finding(1275);
  if (isNotYesNo(textAt(element, 'SinRegistroPrevio'))) yield finding(1276);
}

/**
 * What an alta may do with an invoice, given what is held of it (validations 6.1): a plain one, or one after a rejected
 * first (S/X), needs that nothing is held; an amendment needs that something is. The very same amendment twice is a
 * duplicate too: a record, once held, is never taken again.
 */
export function* checkAltaHistory(record: Submitted, { store }: CheckContext): Generator<Finding> {
  const stored = store.invoice(record.nif, record.number, record.date);
  const amends = textAt(record.element, 'Subsanacion') === 'S';
  const asFirst = !amends || textAt(record.element, 'RechazoPrevio') === 'X';
  if (stored !== undefined && (asFirst || stored.latest.fingerprint === record.fingerprint))
    yield finding(3000);
  if (stored === undefined && !asFirst) yield finding(3002);
}

/**
 * What an anulacion may do (validations 6.2): it needs something to cancel, or, without previous record, that there is
 * nothing. A further cancellation of a cancelled invoice replaces the first; an identical one is refused with 3001.
 */
export function* checkCancellationHistory(record: Submitted, { store }: CheckContext): Generator<Finding> {
  const stored = store.invoice(record.nif, record.number, record.date);
  const withoutPrevious = textAt(record.element, 'SinRegistroPrevio') === 'S';
  if (stored === undefined) {
    if (!withoutPrevious) yield finding(3002);
    return;
  }
  const cancelled = stored.latest.kind === 'anulacion';
  if (cancelled && stored.latest.fingerprint === record.fingerprint) yield finding(3001);
  if (withoutPrevious) yield finding(cancelled ? 3001 : 3000);
}

/** A holder without that power changes nothing that is held: neither by an amendment nor by a cancellation. */
export function* checkPermission(record: Submitted, { store, presenter }: CheckContext): Generator<Finding> {
  const updates = record.kind === 'anulacion' || textAt(record.element, 'Subsanacion') === 'S';
  if (!updates || presenter.mayUpdate) return;
  if (store.invoice(record.nif, record.number, record.date) !== undefined) yield finding(3003);
}
