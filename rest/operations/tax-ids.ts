import { stored } from '../../src/faces/graphql/stored.ts';

/** The stored query of POST /v1/tax_ids/validate. */
export const validateTaxId = stored(`query ValidateTaxId($input: ValidateTaxIdInput!) {
  answer: validateTaxId(input: $input) {
    tax_id: taxId
    tax_id_type: taxIdType
    tax_id_country: taxIdCountry
    valid
    reason
    register
    registered_name: registeredName
  }
}`);
