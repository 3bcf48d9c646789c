import type { Queryable } from '../../ground/db/queryable.ts';
import { isRefusal, type Outcome, Refusal } from '../../ground/errors/refusal.ts';
import type { Scope } from '../accounts/entry/caller.ts';
import { type EnvironmentTime, environmentToday } from '../accounts/entry/environment-time.ts';
import { areEqual, correctedRefusal, invalidReference, malformedReference } from './external-original.ts';
import { amountsInForce, type ExternalOriginal, headRefusal, target } from './family.ts';
import { loadCorrected } from './store/read-families.ts';
import { loadExternalFacts } from './store.ts';

/** An invoice issued elsewhere with everything that is known of it here. */
export type FoundExternal = ExternalOriginal & {
  /** The day of its operation. */
  readonly operationOn: string;
  /** The imported invoice with this number and day, if there is one. */
  readonly importedId: string | null;
};

/** As a request names it; without a day of its operation it is that of the issue, or of the imported invoice. */
export type NamedExternal = ExternalOriginal & { readonly operationOn: string | null };

/**
 * The invoice issued elsewhere that a request names, with its amounts: those that a rectificativa in force has
 * stated, else an imported invoice's own, else those of the request. Refuses in this order:
 * `external_reference_invalid` for a malformed reference, `external_reference_matches_existing_invoice`,
 * `external_reference_invalid` for another day or other amounts than known, then the refusals of its state as for
 * one of ours: `invoice_has_live_canje`, `invoice_already_replaced`, `invoice_not_family_tip`. Source:
 * docs/contract.md#families.
 */
export async function findExternal(
  client: Queryable,
  { environmentId, issuer, ...time }: Pick<Scope, 'environmentId' | 'issuer'> & EnvironmentTime,
  sent: NamedExternal,
): Promise<Outcome<FoundExternal>> {
  const malformed = malformedReference(sent, environmentToday(time));
  if (malformed !== null) return malformed;
  const { named, corrections } = await loadExternalFacts(client, environmentId, issuer.nif, sent);
  if (named !== null && !named.imported) {
    const detail = `Number ${sent.number} is that of an invoice issued here: refer to it by invoice_id.`;
    return new Refusal('external_reference_matches_existing_invoice', detail);
  }
  const imported = named === null ? null : await importedOriginal(client, environmentId, named, sent);
  if (isRefusal(imported)) return imported;
  const stated = corrections.find(({ amounts }) => amounts !== null)?.amounts ?? null;
  const known = imported?.amounts ?? stated;
  if (known !== null && sent.amounts !== null && !areEqual(known, sent.amounts)) {
    return invalidReference(
      'rectifiedAmounts',
      imported === null
        ? 'not the one known: its first rectificativa stated other rectified_amounts'
        : 'not the one known: the imported invoice has other amounts than rectified_amounts',
    );
  }
  const state = imported?.refusal ?? correctedRefusal(sent, corrections);
  if (state !== null) return state;
  const { number, issuedOn } = imported ?? sent;
  const operationOn = imported?.operationOn ?? sent.operationOn ?? issuedOn;
  return { number, issuedOn, operationOn, amounts: known ?? sent.amounts, importedId: imported?.id ?? null };
}

/** An imported invoice is known completely, so that nothing needs to be stated about it. */
async function importedOriginal(
  client: Queryable,
  environmentId: number,
  external: { readonly id: string; readonly number: string; readonly issuedOn: string },
  sent: NamedExternal,
) {
  if (external.issuedOn !== sent.issuedOn) {
    return invalidReference(
      'issuedOn',
      `not the one known: the imported invoice of that number was issued on ${external.issuedOn}`,
    );
  }
  const corrected = await loadCorrected(client, environmentId, external.id);
  if (corrected === null) throw new Error('a sealed invoice has vanished');
  const { family } = corrected;
  const { operationOn } = target(family);
  if (sent.operationOn !== null && sent.operationOn !== operationOn) {
    const detail = `not the one known: the operation of the imported invoice was on ${operationOn}`;
    return invalidReference('operationDate', detail);
  }
  return { ...external, operationOn, amounts: amountsInForce(family), refusal: headRefusal(family) };
}
