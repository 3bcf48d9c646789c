import { z } from 'zod';
import { invalidField, isRefusal, type Outcome } from '../../ground/errors/refusal.ts';
import { flag, id, optional } from '../../ground/lib/request-fields.ts';
import { line } from '../../ground/lib/text.ts';
import type { Scope } from '../accounts/entry/caller.ts';
import { prepareRegistration, type RegistrationContent } from '../chain/record-xml.ts';
import { sealedContent } from '../chain/sealed-content.ts';
import type { CheckSources } from '../issuing/check-invoice.ts';
import { declaredRecipient, declaredTaxes } from '../issuing/prepare-invoice.ts';
import { recipientRequest } from '../issuing/request.ts';
import { type Recipient, recipientTaxIdType, resolveRecipient } from '../recipients/recipient.ts';
import type { RegisterEvidence, Registers } from '../recipients/registers/registers.ts';
import { type BreakdownRules, breakDown, breakdownRefusal, type TaxDetail } from '../taxes/breakdown.ts';
import type { CatalogRow } from '../taxes/catalog.ts';
import { classification } from '../taxes/line-tax.ts';
import { recipientRefusal, taxesRefusal } from './amendment-limits.ts';
import { type Member, target } from './family.ts';
import { reasonRefusal } from './reasons.ts';
import { restated } from './restate.ts';
import type { Corrected } from './store/read-families.ts';
import { loadLines } from './store.ts';

const { taxId, taxIdCountry } = recipientRequest.shape;

/** The fiscal identity only: the agency has no other data of the recipient. */
const amendedIdentity = z
  .strictObject({
    name: recipientRequest.shape.name.describe('The fiscal name.'),
    taxId,
    taxIdType: recipientRequest.shape.taxIdType.describe(
      'The type of the tax id; if omitted, determined from a new tax id, else unchanged.',
    ),
    taxIdCountry,
  })
  .meta({
    id: 'FiscalIdentityInput',
    description: 'Changes of the declared recipient; omitted fields stay unchanged.',
  });

/** The request to amend a record. A field that is left out stays as declared. */
export const amendmentRequest = z
  .strictObject({
    invoiceId: id.describe('The id of the invoice.'),
    reason: line(500).describe('The reason; kept in the audit log.'),
    recipient: optional(amendedIdentity).describe(
      'Changes of the declared recipient; complete invoices only. Its tax id and country stay, and its name changes only to another spelling.',
    ),
    /** DescripcionOperacion holds 500 characters (XSD TextMax500Type). */
    description: optional(line(500)).describe('The description of the operation as declared.'),
    reclassify: flag.describe(
      'Whether to declare regime keys and causes of exemption according to the current tax catalog. Taxes, rates, amounts and what lines say of themselves stay.',
    ),
  })
  .meta({
    description:
      'Corrections of a declared invoice. Without corrections, what was rejected or flagged is sent again as it is.',
  });

export type AmendmentRequest = z.output<typeof amendmentRequest>;

/** The declaration of an amending record, and which parts of it are new. */
export type AmendedContent = {
  /** Complete except for the flags and the software, which belong to the new record. */
  readonly content: RegistrationContent;
  /** Whether the record says anything else than the one before. */
  readonly isChanged: boolean;
  readonly recipient: Recipient | null;
  readonly evidence: RegisterEvidence | null;
  readonly breakdown: readonly TaxDetail[] | null;
};

/** What an amendment is checked with: the census is asked for its own spelling too. */
export type AmendmentSources = CheckSources & {
  readonly registers: Readonly<Record<'test' | 'live', Pick<Registers, 'identify' | 'validateTaxId'>>>;
};

/** What is amended: the invoice, its newest record, and whether the agency holds one. */
type Amendable = { readonly corrected: Corrected; readonly xml: string; readonly held: boolean };

/**
 * The content of the newest record with the amendments of the request. The register is queried last, and only for a
 * recipient that changes. Refuses with `invalid_request` (a recipient on a simplified invoice, a malformed one),
 * with `invalid_tax_data` when the catalog or the agency would not accept the taxes, with
 * `amendment_needs_rectification` for what would contradict the paper, with the codes of `resolveRecipient` and of the
 * registers, and with `reason_incompatible_with_recipient`.
 */
export async function amendedContent(
  sources: AmendmentSources,
  scope: Scope,
  { corrected: { family, recipient: declared, printed }, xml, held }: Amendable,
  request: AmendmentRequest,
): Promise<Outcome<AmendedContent>> {
  const invoice = target(family);
  const paper = { number: invoice.number, recipient: printed, held };
  const before = sealedContent(xml);
  if (request.recipient !== undefined && (invoice.type === 'simplified' || invoice.recipientUnidentified)) {
    return invalidField('recipient', 'not_supported', 'is not declared of such an invoice');
  }
  const input = restated(
    declared,
    request.recipient && {
      ...request.recipient,
      companyName: undefined,
      givenName: undefined,
      surnames: undefined,
      email: undefined,
      address: undefined,
    },
  );
  const taxIdType = invoice.type === 'complete' ? recipientTaxIdType(input) : null;
  const breakdown = request.reclassify ? await reclassified(sources, scope, invoice) : null;
  if (isRefusal(breakdown)) return breakdown;
  const reclassifiedTaxes = breakdown && declaredTaxes(breakdown);
  const changesTaxes = reclassifiedTaxes && taxesRefusal(paper, before.breakdown, reclassifiedTaxes);
  if (changesTaxes !== null) return changesTaxes;
  const unfit = breakdownRefusal(breakdown ?? invoice.breakdown, rulesOf(invoice, taxIdType));
  if (unfit !== null) return unfit;
  const changed =
    request.recipient === undefined ? null : resolveRecipient(input, { ...invoice, complete: true });
  if (isRefusal(changed)) return changed;
  const incompatible = changed && invoice.reason ? reasonRefusal(invoice.reason, changed.taxIdType) : null;
  if (incompatible !== null) return incompatible;
  const { environmentId } = scope;
  const registers = sources.registers[scope.environment];
  const changesRecipient = changed && (await recipientRefusal(registers, environmentId, paper, changed));
  if (changesRecipient !== null) return changesRecipient;
  const evidence = changed && (await registers.identify(changed, environmentId));
  if (isRefusal(evidence)) return evidence;
  const content: RegistrationContent = {
    ...before,
    description: request.description?.trim() ?? before.description,
    recipient: changed === null ? before.recipient : declaredRecipient(changed),
    breakdown: reclassifiedTaxes ?? before.breakdown,
  };
  return { content, isChanged: textOf(content) !== textOf(before), recipient: changed, evidence, breakdown };
}

/** What a record says, without what each record has of its own. */
function textOf(content: RegistrationContent): string {
  const nothing = { number: '', issuedOn: '2025-01-01' };
  return prepareRegistration(content).seal(nothing, {
    previous: null,
    generatedAt: new Date(0),
    timeZone: 'Europe/Madrid',
  }).xml;
}

function rulesOf({ type, kind, reason }: Member, recipientTaxIdType: Recipient['taxIdType']): BreakdownRules {
  const method = kind === 'rectifying_differences' ? 'differences' : 'substitution';
  return { type, rectifying: reason === null ? null : { method, reason }, recipientTaxIdType };
}

/** The sealed lines with the current catalog. Amounts stay, and what a line says of its classification: only the rest of it is new. */
async function reclassified(
  { db, catalogs }: Pick<CheckSources, 'db' | 'catalogs'>,
  scope: Scope,
  { id }: Member,
): Promise<Outcome<TaxDetail[]>> {
  const lines = await loadLines(db.pool, scope.environmentId, [id]);
  const catalog = await catalogs.of(scope);
  const rows: CatalogRow[] = [];
  for (const [index, { taxItems }] of lines.entries()) {
    for (const [place, tax] of taxItems.entries()) {
      const row = classification(tax, tax.rate, index, catalog);
      if (isRefusal(row)) return row;
      if (place === 0) rows.push(row);
    }
  }
  return breakDown(lines, rows);
}
