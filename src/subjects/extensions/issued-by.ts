import { z } from 'zod';
import { fault, optional } from '../../ground/lib/request-fields.ts';
import { printedLine, taxIdLine } from '../../ground/lib/text.ts';
import { needsCountry } from '../tax-ids/tax-id.ts';
import { TAX_ID_TYPES } from '../tax-ids/types.ts';
import { type Label, type Sent, storedAsSent } from './extension.ts';
import { ISSUED_BY } from './types.ts';

/**
 * Who issues an invoice in the company's name: its recipient or a third party (RD 1619/2012 art. 5). Each of them issues on a series of its own
 * (art. 6.1.a), which its first invoice decides.
 */

const ISSUED: Label = {
  es: 'Expedición',
  en: 'Issued by',
  ca: 'Expedició',
  gl: 'Expedición',
  eu: 'Egilea',
};

/** RD 1619/2012 art. 6.1.l demands the words in Spanish, whatever the language of the document. */
const LEGAL = 'Facturación por el destinatario';
export const SELF_BILLING: Label = {
  es: LEGAL,
  en: `The recipient (self-billing; ${LEGAL})`,
  ca: `El destinatari (${LEGAL})`,
  gl: `O destinatario (${LEGAL})`,
  eu: `Hartzailea (${LEGAL})`,
};

export const THIRD_PARTY: Label = {
  es: 'Tercero expedidor',
  en: 'Third-party issuer',
  ca: 'Tercer expedidor',
  gl: 'Terceiro expedidor',
  eu: 'Hirugarren egilea',
};

export const issuedBy = storedAsSent('issuedBy', {
  request: optional(z.enum(ISSUED_BY)).describe(
    'Who issues it in the company’s name, if not the company: the identified `recipient` (self-billing) or a `third_party`. Needs a `numberSeriesId` that is no default and of this issuer alone.',
  ),
  value: z.enum(ISSUED_BY),
  answered: 'Who issued it in the company’s name, if not the company.',
  ruled: ['issuedBy', 'thirdParty'],
  rule: (sent, check) => {
    const { issuedBy: by, thirdParty: third } = sent;
    if (by === 'third_party' && third === undefined)
      fault(check, ['thirdParty'], 'required', 'is required when a third party issues');
    if (by !== 'third_party' && third !== undefined)
      fault(check, ['thirdParty'], 'not_supported', 'is not supported unless issuedBy is third_party');
    if (by === 'recipient' && !namesRecipient(sent))
      fault(check, ['issuedBy'], 'not_supported', 'is not supported without an identified recipient');
    requireCountry(third as ThirdPartyInput | undefined, check);
  },
  facts: (by) => (by === 'recipient' ? [{ label: ISSUED, word: SELF_BILLING }] : []),
  printed: 'above',
});

const namesRecipient = ({ type, recipientUnidentified }: Sent): boolean =>
  type === 'complete' && recipientUnidentified !== true;

const country = z
  .string()
  .regex(/^[A-Za-z]{2}$/, 'must be an ISO 3166-1 alpha-2 code')
  .transform((code) => code.toUpperCase());

const thirdPartyRequest = z
  .strictObject({
    name: printedLine(200).describe('The fiscal name.'),
    taxId: taxIdLine(50).describe(
      'Not that of the company. Its type is determined from the format if omitted.',
    ),
    taxIdType: optional(z.enum(TAX_ID_TYPES)).describe('The type of `taxId`; not `not_registered`.'),
    taxIdCountry: optional(country).describe('The country of `taxId`, where its type does not imply it.'),
  })
  .meta({ id: 'ThirdPartyInput', description: 'Who issues an invoice in the name of the company.' });

export type ThirdPartyInput = z.output<typeof thirdPartyRequest>;

function requireCountry(third: ThirdPartyInput | undefined, check: z.RefinementCtx): void {
  if (third?.taxIdType === undefined || third.taxIdCountry !== undefined) return;
  if (needsCountry(third.taxIdType))
    fault(check, ['thirdParty', 'taxIdCountry'], 'required', 'is required with this kind of id');
}

export const thirdParty = storedAsSent('thirdParty', {
  request: optional(thirdPartyRequest).describe(
    'Who issues the invoice, with `issuedBy` `third_party`; validated as a recipient is.',
  ),
  value: z
    .object({
      name: z.string().describe('The fiscal name.'),
      tax_id: z.string().describe('The tax id.'),
      tax_id_type: z.enum(TAX_ID_TYPES).describe('The type of the tax id.'),
      tax_id_country: z.string().describe('The country of the tax id, ISO 3166-1 alpha-2.'),
    })
    .meta({ id: 'ThirdParty', description: 'Who issued an invoice in the name of the company.' }),
  answered: 'The third party that issued it, if one did.',
  parts: 'name taxId taxIdType taxIdCountry',
  facts: ({ name, tax_id }) => [{ label: THIRD_PARTY, text: `${name}, ${tax_id}` }],
  printed: 'above',
});
