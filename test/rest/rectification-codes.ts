import { holdChain, untilWaiting } from '../support/database/held-locks.ts';
import { decideRecords, differences, operatorOf, substitution } from '../support/invoices/corrections.ts';
import { aCompleteInvoice, aLine, aSimplifiedInvoice } from '../support/invoices/invoices.ts';
import { aSale, aShop } from '../support/pages/portal.ts';
import { done, type Provocations, type Setup } from './provocations.ts';

const invoice = ({ operations }: Setup, parts: Record<string, unknown> = {}) =>
  done(operations.issue(aCompleteInvoice(parts)));
const ticket = ({ operations }: Setup) => done(operations.issue(aSimplifiedInvoice()));

const external = { number: 'OLD-1', issued_on: '2024-05-05' };
const elsewhere = (parts: object, method = 'differences') =>
  aCompleteInvoice({ rectifies: { external: { ...external, ...parts }, method } });

/** A ticket that has been exchanged for a complete invoice, and that invoice. */
async function exchanged(setup: Setup) {
  const original = await ticket(setup);
  const operator = await operatorOf(setup.service);
  const { recipient: ana } = aCompleteInvoice();
  const { line1, postal_code: postalCode, city, country } = ana.address;
  const recipient = { name: ana.name, taxId: ana.tax_id, address: { line1, postalCode, city, country } };
  const { data } = await operator.exchangeInvoices({ ticketIds: [original.id], recipient });
  return { original, exchange: { id: data.result.id, type: 'complete' } };
}

/** A live invoice, on which the agency has not decided yet. */
async function pending(setup: Setup) {
  const { key } = setup.company.live;
  return { key, original: await done(setup.operations.issue(aCompleteInvoice(), { key })) };
}

const CORPORATION = { name: 'Construcciones del Norte SA', tax_id: 'A39200019' };
const JANE = {
  name: 'Jane Roe',
  tax_id: 'X123',
  tax_id_type: 'passport',
  tax_id_country: 'US',
  address: { line1: '1 Main St', postal_code: '10001', city: 'New York', country: 'US' },
};

/** Every code of rectificativas. */
export const rectificationCodes: Provocations = {
  async downgrade_to_simplified_not_allowed(setup) {
    const { id } = await invoice(setup);
    return setup.operations.issue(differences({ id, type: 'simplified' }, -100));
  },
  async upgrade_to_complete_not_allowed(setup) {
    const { id } = await ticket(setup);
    return setup.operations.issue(differences({ id, type: 'complete' }, -100));
  },
  external_reference_invalid: ({ operations }) => operations.issue(elsewhere({ number: 'A"B' })),
  async external_reference_matches_existing_invoice(setup) {
    const { number } = await ticket(setup);
    return setup.operations.issue(elsewhere({ number }));
  },
  rectified_amounts_required_for_substitution: ({ operations }) =>
    operations.issue(elsewhere({}, 'substitution')),
  invalid_rectifies_reference: ({ operations }) =>
    operations.issue(aSimplifiedInvoice({ rectifies: { method: 'differences' } })),
  rectified_invoice_not_found: ({ operations }) =>
    operations.issue(differences({ id: 'inv_1', type: 'simplified' }, -100)),

  async invoice_already_replaced(setup) {
    const original = await invoice(setup);
    await done(setup.operations.issue(substitution(original, 100)));
    return setup.operations.issue(differences(original, -100));
  },
  async invoice_already_voided(setup) {
    const original = await invoice(setup);
    await (await operatorOf(setup.service)).voidInvoice(original.id);
    return setup.operations.issue(differences(original, -100));
  },
  async invoice_has_live_canje(setup) {
    const { original } = await exchanged(setup);
    return setup.operations.issue(differences(original, -100));
  },
  async invoice_is_canje(setup) {
    const { exchange } = await exchanged(setup);
    return setup.operations.issue(differences(exchange, -100));
  },
  async invoice_not_family_tip(setup) {
    const original = await invoice(setup);
    await done(setup.operations.issue(differences(original, -100)));
    return setup.operations.issue(differences(original, -100));
  },
  async invoice_pending_at_aeat(setup) {
    const { key, original } = await pending(setup);
    return setup.operations.issue(differences(original, -100), { key });
  },
  async invoice_not_rectifiable_at_aeat(setup) {
    const { key, original } = await pending(setup);
    await decideRecords(setup.service.db, original.id, 'rejected');
    return setup.operations.issue(differences(original, -100), { key });
  },

  async rectifying_series_invalid(setup) {
    const number_series_id = setup.company.test.standardSeriesId;
    return setup.operations.issue(differences(await invoice(setup), -100, { number_series_id }));
  },
  async num_series_not_applicable_for_order_invoice(setup) {
    const { id } = await aSale(setup.service, await aShop(setup.service), 'c-1');
    const number_series_id = setup.company.test.rectifyingSeriesId;
    return setup.operations.issue(differences({ id, type: 'simplified' }, -100, { number_series_id }));
  },

  async line_item_without_tax_items(setup) {
    const line_items = [aLine({ tax_items: [] })];
    return setup.operations.issue(differences(await invoice(setup), -100, { line_items }));
  },
  async family_balance_below_zero(setup) {
    return setup.operations.issue(differences(await invoice(setup), -9_999_999));
  },
  async replacement_total_negative(setup) {
    return setup.operations.issue(substitution(await invoice(setup), -100));
  },

  async recipient_overrides_not_allowed_for_differences(setup) {
    return setup.operations.issue(
      differences(await invoice(setup), -100, { recipient: { email: 'a@example.com' } }),
    );
  },
  async reason_incompatible_with_recipient(setup) {
    const original = await invoice(setup, { recipient: JANE });
    const rectifies = { invoice_id: original.id, method: 'differences', reason: 'insolvency' };
    return setup.operations.issue(differences(original, -100, { rectifies }));
  },
  async recipient_changed_during_validation(setup) {
    const original = await invoice(setup);
    const { db } = setup.service;
    const { environmentId } = setup.company.test;
    const chain = await holdChain(db, environmentId);
    // The register has approved of the new recipient; before it is written the old one is amended.
    const issuing = setup.operations.issue(substitution(original, 100, { recipient: CORPORATION }));
    await untilWaiting(db, 1);
    await db.pool.query(
      `insert into invoice_amendment (environment_id, record_id, invoice_id, recipient_name, reason, amended_by, amended_at)
       select environment_id, id, invoice_id, 'GARCIA PEREZ ANA', 'x', 'opk_1', now()
         from registration_record where invoice_id = $1`,
      [original.id],
    );
    await chain.release();
    return issuing;
  },
};
