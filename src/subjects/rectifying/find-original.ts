import { invalidField, isRefusal, type Outcome, Refusal } from '../../ground/errors/refusal.ts';
import type { Scope } from '../accounts/entry/caller.ts';
import { environmentToday } from '../accounts/entry/environment-time.ts';
import { isInvoiceId } from '../invoices/list.ts';
import type { CheckSources } from '../issuing/check-invoice.ts';
import { namesOne } from '../issuing/named-originals.ts';
import type { CheckedInvoice, Correction } from '../issuing/prepare-invoice.ts';
import { amountsInForce, isAmendedSince, stateRefusal, target } from './family.ts';
import { findExternal } from './find-external.ts';
import { type Original, type Rectifies, rectifiedOperation } from './original.ts';
import { findSeveral, recheckSeveral, referencesOf } from './several-originals.ts';
import { loadCorrected } from './store/read-families.ts';

/** What a rectificativa corrects: how it is found, what is written of it, and what must still hold when that happens. */

/**
 * The original that a request names. Refuses with `invalid_rectifies_reference`, `rectified_invoice_not_found`, `invalid_request` and the
 * codes of `findExternal`.
 */
export async function findOriginal(
  { db }: Pick<CheckSources, 'db'>,
  caller: Scope,
  rectifies: Rectifies,
): Promise<Outcome<Original>> {
  if (!namesOne(rectifies)) {
    const detail = 'Name in one way what is corrected: invoice_id, external, invoice_ids or period.';
    return new Refusal('invalid_rectifies_reference', detail);
  }
  const { invoiceId, external, invoiceIds, period } = rectifies;
  if (period !== undefined) return findPeriod(caller, rectifies, period);
  if (rectifies.reason === 'volume_discount') {
    const detail =
      'A volume discount names a period and no invoice (RD 1619/2012 art. 15.4): send rectifies.period.';
    return new Refusal('invalid_rectifies_reference', detail).about('rectifies.reason');
  }
  if (invoiceIds !== undefined) return findSeveral(db.pool, caller, rectifies, invoiceIds);
  if (external === undefined) {
    const corrected = isInvoiceId(invoiceId!)
      ? await loadCorrected(db.pool, caller.environmentId, invoiceId!)
      : null;
    if (corrected !== null) return { kind: 'linked', corrected, each: corrected.several, ids: null };
    return new Refusal('rectified_invoice_not_found', 'No invoice of this id exists in the environment.');
  }
  const { number, issuedOn, operationDate: operationOn = null, rectifiedAmounts: stated } = external;
  const amounts = stated === undefined ? null : { ...stated, surcharge: stated.surcharge ?? null };
  const found = await findExternal(db.pool, caller, { number, issuedOn, operationOn, amounts });
  return isRefusal(found) ? found : { kind: 'external', external: found };
}

/**
 * A volume discount alone may name a period in place of the invoices whose bases it reduces, and it states the reduction itself. Sources: RD
 * 1619/2012 art. 15.4, LIVA art. 80.Uno.2.
 */
function findPeriod(
  caller: Scope,
  { method, reason }: Rectifies,
  period: NonNullable<Rectifies['period']>,
): Outcome<Original> {
  if (method !== 'differences' || reason !== 'volume_discount') {
    const [field, detail] =
      method === 'differences'
        ? ['reason', 'the reason volume_discount, the only one that needs no invoices']
        : ['method', 'the method differences: it replaces no invoice'];
    return new Refusal(
      'invalid_rectifies_reference',
      `A period goes with ${detail} (RD 1619/2012 art. 15.4).`,
    ).about(`rectifies.${field}`);
  }
  if (period.to > environmentToday(caller))
    return invalidField('rectifies.period.to', 'too_big', 'must not be in the future');
  return { kind: 'period', period };
}

/** What the invoice and its record say of the original. */
export function correctionOf(caller: Scope, rectifies: Rectifies, original: Original): Correction {
  const method = rectifies.method === 'differences' ? 'I' : 'S';
  const { reason } = rectifies;
  if (original.kind === 'linked') {
    const { family } = original.corrected;
    return {
      ...(original.ids === null ? null : { rectifiesIds: original.ids }),
      rectifiesId: original.ids?.[0] ?? target(family).id,
      external: null,
      reason,
      method,
      operationOn: rectifiedOperation(caller, original),
      amounts: method === 'S' ? amountsInForce(family) : null,
      rectified: referencesOf(original),
    };
  }
  if (original.kind === 'period') {
    const { period } = original;
    return {
      ...{ rectifiesId: null, external: null, reason, method, operationOn: null, amounts: null },
      // The agency takes such a record without FacturasRectificadas (validations v1.2.2 of 2026-04-08, 3.1.3.4).
      ...{ rectified: [], period },
    };
  }
  const { number, issuedOn, amounts, importedId } = original.external;
  return {
    rectifiesId: importedId,
    external: { number, issuedOn },
    reason,
    method,
    operationOn: rectifiedOperation(caller, original),
    // For an imported one this is in its row; for others only the first rectificativa states it.
    amounts: importedId !== null && method === 'I' ? null : amounts,
    // An original issued elsewhere was still issued by this company (XSD, IDFacturaARType).
    rectified: [{ nif: caller.issuer.nif, number, issuedOn }],
  };
}

/**
 * With the chain locked nobody else can correct, void, exchange or amend: the checked facts must still hold. The
 * inherited recipient must still be the declared one.
 */
export function recheck(caller: Scope, original: Original): CheckedInvoice['recheck'] {
  // Nothing that a volume discount names can change.
  if (original.kind === 'period') return null;
  if (original.kind === 'external') {
    return async (client) => {
      const found = await findExternal(client, caller, { ...original.external, operationOn: null });
      if (isRefusal(found)) return found;
      // It was imported meanwhile: the next attempt uses the imported invoice.
      return found.importedId === original.external.importedId ? null : concurrentImport();
    };
  }
  if (original.ids !== null) return recheckSeveral(caller, original.ids, original.each);
  const before = original.corrected;
  return async (client) => {
    const now = await loadCorrected(client, caller.environmentId, target(before.family).id);
    if (now === null) throw new Error('a sealed invoice has vanished');
    const refusal = stateRefusal(now.family);
    if (refusal !== null) return refusal;
    if (!isAmendedSince(before.family, now.family)) return null;
    return new Refusal(
      'recipient_changed_during_validation',
      'The recipient of the corrected invoice was amended while the request was validated.',
    );
  };
}

function concurrentImport(): Refusal {
  return new Refusal(
    'service_unavailable',
    'The invoice issued elsewhere was imported while the request was validated.',
  );
}
