import { z } from 'zod';
import { emailAddressOrEmpty } from '../../ground/lib/email.ts';
import { id, removableText } from '../../ground/lib/request-fields.ts';
import { exactLine, printedLine, searchedLine, taxIdLine } from '../../ground/lib/text.ts';
import { address, country } from '../recipients/recipient-request.ts';
import { TAX_ID_TYPES } from '../tax-ids/types.ts';

/** What may be said of a customer; of a field that is left out nothing is said, and null removes it. */
export const customerFields = {
  name: printedLine(200).nullish().describe('The name of the person, or of the company.'),
  companyName: removableText(printedLine(200, 0)).describe('The fiscal name when it is not `name`.'),
  taxId: taxIdLine(50).nullish().describe('The tax id; only its form is checked, no register is asked.'),
  taxIdType: z
    .enum(TAX_ID_TYPES)
    .nullish()
    .describe('The type of `taxId`, needed where its format and the country do not determine it.'),
  taxIdCountry: country.nullish().describe('The country of `taxId`, ISO 3166-1 alpha-2.'),
  email: removableText(emailAddressOrEmpty).describe('The e-mail address.'),
  address: address.nullish().describe('The address, which is replaced as a whole.'),
};

export const customerRequest = z.strictObject({
  integrationId: id.nullish().describe('The integration; required if the environment has several.'),
  externalCustomerId: exactLine(255).describe('The id of the customer in the integration.'),
  ...customerFields,
});

export type CustomerRequest = z.output<typeof customerRequest>;

/** A customer in place of what was kept under its id. */
export const customerReplacement = z
  .strictObject(customerFields)
  .meta({ id: 'CustomerReplacement', description: 'All of a customer; what is left out is removed.' });

/** What a list of customers may be narrowed to. */
export const customerFilter = z.strictObject({
  integrationId: exactLine(60).nullish(),
  externalCustomerId: exactLine(255).nullish(),
  text: searchedLine(200).nullish(),
});

const CUSTOMER_ID = /^cus_[0-9a-f]{32}$/;

/** Whether a text has the form of a customer's id; anything else is not worth a query. */
export function isCustomerId(text: string): boolean {
  return CUSTOMER_ID.test(text);
}
