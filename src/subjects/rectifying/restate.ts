import type { InvoiceRequest } from '../issuing/request.ts';
import type { Recipient, RecipientInput } from '../recipients/recipient.ts';

type Restatement = NonNullable<InvoiceRequest['recipient']>;

const IDENTITY = ['taxId', 'taxIdType', 'taxIdCountry', 'name', 'companyName'] as const;

/** Whether a restated recipient changes the fiscal identity, which must then be validated (docs/contract.md#corrections). */
export function restatesIdentity(restateRecipient: Restatement): boolean {
  return IDENTITY.some((field) => restateRecipient[field] !== undefined);
}

/**
 * The inherited recipient with the restated fields of a substitution. A new tax id includes its type and country,
 * and a new name removes the old company name unless a new one is given: no part of the old identity may remain.
 */
export function restated(inherited: Recipient, restatement: Restatement | undefined): RecipientInput {
  if (restatement === undefined) return asInput(inherited);
  const renamed = restatement.name !== undefined || restatement.companyName !== undefined;
  const reidentified = restatement.taxId !== undefined;
  const address = restatement.address;
  const moved = address?.line1 !== undefined;
  return {
    name: restatement.name ?? inherited.name,
    companyName: restatement.companyName ?? (renamed ? null : inherited.companyName),
    givenName: restatement.givenName ?? (renamed ? null : inherited.givenName),
    surnames: restatement.surnames ?? (renamed ? null : inherited.surnames),
    taxId: restatement.taxId ?? inherited.taxId,
    taxIdType: restatement.taxIdType ?? (reidentified ? null : inherited.taxIdType),
    taxIdCountry:
      restatement.taxIdCountry ?? (reidentified || restatement.taxIdType ? null : inherited.taxIdCountry),
    email: restatement.email ?? inherited.email,
    address: {
      line1: address?.line1 ?? inherited.line1,
      line2: address?.line2 ?? (moved ? null : inherited.line2),
      postalCode: address?.postalCode ?? inherited.postalCode,
      city: address?.city ?? inherited.city,
      country: address?.country ?? inherited.country,
    },
  };
}

function asInput({
  name,
  companyName,
  givenName,
  surnames,
  taxId,
  taxIdType,
  taxIdCountry,
  email,
  ...address
}: Recipient): RecipientInput {
  return { name, companyName, givenName, surnames, taxId, taxIdType, taxIdCountry, email, address };
}
