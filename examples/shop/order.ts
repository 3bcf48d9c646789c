import type { InvoiceRequest } from '@lacre/client';

export type Line = InvoiceRequest['line_items'][number];
export type Recipient = NonNullable<InvoiceRequest['recipient']>;

/** Prices are cents with their tax, as they are on the shelf. */
export type Item = {
  readonly sku: string;
  readonly name: string;
  readonly quantity: number;
  readonly price: number;
  /** In percent: 21, 10 or 4. */
  readonly vat: number;
};

export type OrderInvoice = InvoiceRequest & { readonly external_id: string };

export type Customer = {
  readonly id: number;
  readonly name: string;
  readonly email: string;
  /** Whoever wants a complete invoice gives these two at the checkout. */
  readonly taxId?: string;
  readonly address?: Recipient['address'];
};

export type Order = {
  readonly id: number;
  /** Grows whenever the order changes: the corrected order is another request. */
  readonly revision: number;
  readonly customer: Customer;
  readonly items: readonly Item[];
  /** What a coupon takes off the items. */
  readonly coupon?: { readonly code: string; readonly amount: number };
  readonly shipping?: number;
};

/** The request of an order: complete for a customer with a NIF, else a ticket. */
export function invoiceOf({ id, customer, items, coupon, shipping = 0 }: Order): OrderInvoice {
  return {
    type: customer.taxId === undefined ? 'simplified' : 'complete',
    // Taken for ever by this order, so that no crash makes a second invoice of it.
    external_id: externalIdOf(id),
    external_customer_id: customerIdOf(customer),
    recipient: recipientOf(customer),
    line_items: [
      ...items.map(lineOf),
      ...spread(-(coupon?.amount ?? 0), items, `Cupón ${coupon?.code}`),
      ...spread(shipping, items, 'Gastos de envío'),
    ],
    payment: { means: 'card' },
  };
}

export const externalIdOf = (orderId: number) => `order-${orderId}`;
export const customerIdOf = ({ id }: Pick<Customer, 'id'>) => `customer-${id}`;

/** The lines of a refund: what comes back, at the price that was paid for it, which a coupon may have reduced. */
export function takenBack(items: readonly Item[]): Line[] {
  return items.map((item) => lineOf({ ...item, price: -item.price }));
}

export function recipientOf({ name, email, taxId, address }: Customer): Recipient {
  return {
    name,
    email,
    ...(taxId === undefined ? {} : { tax_id: taxId }),
    ...(address === undefined ? {} : { address }),
  };
}

export function lineOf({ sku, name, quantity, price, vat }: Item): Line {
  return { ...priced(name, price, vat), sku, quantity };
}

function priced(description: string, price: number, rate: number): Line {
  return {
    description,
    quantity: 1,
    unit_amount: price,
    prices_include_tax: true,
    tax_items: [{ type: 'vat', rate }],
  };
}

/**
 * An amount for the whole basket, such as a coupon or the shipping, as one line for each rate in it: in proportion to
 * what was bought at that rate. The lines come to exactly the amount.
 */
function spread(amount: number, items: readonly Item[], description: string): Line[] {
  if (amount === 0) return [];
  const values = new Map<number, number>();
  for (const { vat, price, quantity } of items) values.set(vat, (values.get(vat) ?? 0) + price * quantity);
  const [largest, ...others] = [...values].sort(([, one], [, other]) => other - one);
  if (largest === undefined) return [];
  const total = [...values.values()].reduce((sum, value) => sum + value, 0);
  const shares = others
    .map(([rate, value]) => ({ rate, share: Math.round((amount * value) / total) }))
    // The agency refuses a line whose tax rounds to nothing: such a share stays with the largest.
    .filter(({ rate, share }) => Math.abs(share * rate) / (100 + rate) >= 0.5);
  const left = shares.reduce((rest, { share }) => rest - share, amount);
  return [{ rate: largest[0], share: left }, ...shares].map(({ rate, share }) =>
    priced(description, share, rate),
  );
}
