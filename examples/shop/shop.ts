import type { Invoice, InvoiceSchedule, LacreClient, ValidatedInvoice } from '@lacre/client';
import {
  type Customer,
  customerIdOf,
  externalIdOf,
  type Item,
  invoiceOf,
  lineOf,
  type Order,
  recipientOf,
  takenBack,
} from './order.ts';

export type Refund = {
  readonly id: number;
  readonly orderId: number;
  readonly items: readonly Item[];
  readonly reason: string;
};

/**
 * What a shop asks of Lacre. It stores nothing of its own: invoices are found by the ids of orders and refunds. A method
 * may be called again after any failure, and does once what it does.
 */
export class Shop {
  readonly #lacre: LacreClient;

  constructor(lacre: LacreClient) {
    this.#lacre = lacre;
  }

  /** What an order would come to, before it is paid: totals, and warnings of what is likely wrong. */
  preview(order: Order): Promise<ValidatedInvoice> {
    return this.#lacre.invoices.validate(invoiceOf(order));
  }

  /** The order is paid: its invoice. */
  checkout(order: Order): Promise<Invoice> {
    const request = invoiceOf(order);
    const idempotencyKey = `${request.external_id}-${order.revision}`;
    return this.#once(request.external_id, () => this.#lacre.invoices.create(request, { idempotencyKey }));
  }

  /**
   * Goods came back, or a price was wrong: the rectificativa of that. If the customer has got a complete invoice for the
   * ticket meanwhile, from the shop or in the portal, a further one of the return follows by itself.
   */
  refund({ id, orderId, items, reason }: Refund): Promise<Invoice> {
    const external_id = `refund-${id}`;
    return this.#once(external_id, async () => {
      const { head, exchangeId } = await this.#stateOf(orderId);
      // The request depends on what is corrected, so its key does too.
      const idempotencyKey = `${external_id}-${head.id}`;
      const line_items = takenBack(items);
      if (exchangeId === null) {
        const type = head.type === 'complete' ? 'complete' : 'simplified';
        const rectifies = { invoice_id: head.id, method: 'differences' as const };
        const request = { type, external_id, rectifies, line_items } as const;
        return this.#lacre.invoices.create(request, { idempotencyKey });
      }
      const request = { line_items, reason, external_id };
      const { rectification } = await this.#lacre.exchanges.return(exchangeId, request, { idempotencyKey });
      return rectification;
    });
  }

  /** A customer who got a ticket asks for a complete invoice. */
  exchange(orderId: number, customer: Customer): Promise<Invoice> {
    const external_id = `${externalIdOf(orderId)}-complete`;
    return this.#once(external_id, async () => {
      const { head } = await this.#stateOf(orderId);
      const request = { ticket_ids: [head.id], recipient: recipientOf(customer), external_id };
      return this.#lacre.exchanges.create(request, { idempotencyKey: `${external_id}-${head.id}` });
    });
  }

  /** An invoice each month from a day on. Schedules have no id of the shop: one that runs is found by its customer. */
  async subscribe(customer: Customer, item: Item, startsOn: string): Promise<InvoiceSchedule> {
    const external_customer_id = customerIdOf(customer);
    for await (const schedule of this.#lacre.invoiceSchedules.list({ status: 'active' })) {
      if (schedule.invoice.external_customer_id === external_customer_id) return schedule;
    }
    return this.#lacre.invoiceSchedules.create({
      frequency: 'monthly',
      starts_on: startsOn,
      invoice: {
        type: customer.taxId === undefined ? 'simplified' : 'complete',
        external_customer_id,
        recipient: recipientOf(customer),
        line_items: [{ ...lineOf(item), description: `${item.name}, {{month}}` }],
        payment: { means: 'direct_debit' },
      },
    });
  }

  /** Where a signed-in customer sees their own invoices. Redirect only their browser there. */
  async portalLink(customerId: number, returnTo: string): Promise<string> {
    const external_customer_id = customerIdOf({ id: customerId });
    const session = await this.#lacre.createCustomerPortalSession({
      external_customer_id,
      return_url: returnTo,
    });
    return session.url;
  }

  /** The register of issued invoices for the tax adviser, as CSV. Days are `YYYY-MM-DD`. */
  async book(from: string, to: string): Promise<string> {
    const { url } = await this.#lacre.createRegisterBook({ from, to, format: 'csv' });
    const answer = await fetch(url);
    if (!answer.ok) throw new Error(`The register book was not downloaded (${answer.status}).`);
    return answer.text();
  }

  /** The last invoice of an order that is in force, which the next correction names, and what it was exchanged for. */
  async #stateOf(orderId: number): Promise<{ head: Invoice; exchangeId: string | null }> {
    const sold = await this.#find(externalIdOf(orderId));
    if (sold === null) throw new Error(`Order ${orderId} has no invoice.`);
    let { id } = sold;
    let exchangeId: string | null = null;
    for (;;) {
      const head = await this.#lacre.invoices.retrieve(id, { expand: ['exchange'] });
      exchangeId ??= head.exchange?.exchanged_by?.invoice_id ?? null;
      const [correction] = head.rectified_by;
      if (correction?.invoice_id === undefined) return { head, exchangeId };
      id = correction.invoice_id;
    }
  }

  async #find(externalId: string): Promise<Invoice | null> {
    const { data } = await this.#lacre.invoices.list({ external_id: [externalId] }).first();
    return data[0] ?? null;
  }

  /** What was issued before, whether or not the shop has heard of it, else what is issued now. */
  async #once(externalId: string, issue: () => Promise<Invoice>): Promise<Invoice> {
    return (await this.#find(externalId)) ?? issue();
  }
}
