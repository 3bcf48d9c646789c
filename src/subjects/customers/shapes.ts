import type { Customer } from '../../../generated/prisma/client.ts';

/** What is kept of a customer beside its ids. */
export type CustomerData = Omit<
  Customer,
  'id' | 'environmentId' | 'integrationId' | 'externalCustomerId' | 'createdAt'
>;

/** A customer whom an invoice names, with what the invoice says of them; null says nothing. */
export type NamedCustomer = CustomerData & {
  readonly integrationId: string;
  readonly externalCustomerId: string;
  /** Whether the integration is the first of its environment, and made with the customer. */
  readonly isFirst: boolean;
};

/** A session as its creator receives it; `token` opens the page until `expiresAt` and is not stored. */
export type NewPortalSession = {
  readonly id: string;
  readonly token: string;
  readonly externalCustomerId: string;
  readonly integrationId: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
};

/**
 * A visit: one opening of a session's link. Everything that the visitor sees is limited to this integration's
 * customer.
 */
export type PortalVisitor = {
  readonly sessionId: string;
  readonly environmentId: number;
  readonly integrationId: string;
  readonly externalCustomerId: string;
  readonly name: string | null;
  readonly email: string | null;
  readonly returnUrl: string | null;
  readonly expiresAt: Date;
};
