import { BUSINESS_STATUSES } from '../payments/types.ts';

/** What is sent of an invoice: itself, and then what its issuer has to say of its payment. */
export const MESSAGE_KINDS = ['invoice', ...BUSINESS_STATUSES] as const;

export type MessageKind = (typeof MESSAGE_KINDS)[number];
