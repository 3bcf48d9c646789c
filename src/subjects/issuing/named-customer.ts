import { invalidField, isRefusal } from '../../ground/errors/refusal.ts';
import { type ChosenIntegration, chooseIntegration } from '../customers/choose-integration.ts';
import type { NamedCustomer } from '../customers/shapes.ts';
import type { Check } from './issue-invoice.ts';
import { inheritsRecipient } from './named-originals.ts';
import type { CheckedInvoice } from './prepare-invoice.ts';

const NOTHING = {
  ...{ name: null, companyName: null, taxId: null, taxIdType: null, taxIdCountry: null, email: null },
  ...{ line1: null, line2: null, postalCode: null, city: null, country: null },
};

/** A customer with what the invoice says of its recipient. */
export function customerOf(
  { recipient }: Pick<CheckedInvoice, 'recipient'>,
  key: ChosenIntegration & { readonly externalCustomerId: string },
): NamedCustomer {
  return { ...NOTHING, ...recipient, ...key };
}

/**
 * The same rules for a request that names a customer, whose integration is looked up first. A linked rectificativa
 * has the customer of what it corrects, and none other may be named. Codes beside those of the rules: `customer_ambiguous`,
 * `integration_not_found`, `invalid_request`.
 */
export function withCustomer(check: Check, externalCustomerId: string): Check {
  return async (sources, scope, request) => {
    const { integrationId, rectifies } = request;
    const { environmentId } = scope;
    const chosen = await chooseIntegration(sources.db.pool, environmentId, integrationId);
    if (isRefusal(chosen)) return chosen;
    const checked = await check(sources, scope, request);
    if (isRefusal(checked)) return checked;
    const origin = { integrationId: chosen.integrationId, externalCustomerId, orderId: null };
    if (rectifies !== undefined && inheritsRecipient(rectifies)) {
      const { origin: inherited } = checked;
      const isSame =
        inherited?.externalCustomerId === externalCustomerId &&
        inherited.integrationId === origin.integrationId;
      if (!isSame)
        return invalidField(
          'externalCustomerId',
          'invalid_value',
          'is not the customer of the invoice that is corrected',
        );
      if (request.recipient === undefined) return checked;
    }
    const customer = customerOf(checked, { ...chosen, externalCustomerId });
    return { ...checked, origin: checked.origin ?? origin, customer };
  };
}
