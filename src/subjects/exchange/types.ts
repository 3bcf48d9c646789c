import { BUSINESS_STATUSES } from '../payments/types.ts';

/** The messages of an invoice: the invoice itself, and then its issuer's reports on the payment. */
export const MESSAGE_KINDS = ['invoice', ...BUSINESS_STATUSES] as const;

export type MessageKind = (typeof MESSAGE_KINDS)[number];
