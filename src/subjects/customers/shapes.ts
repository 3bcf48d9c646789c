import type { Customer } from '../../../generated/prisma/client.ts';

/** The customer data of an order. */
export type CustomerFacts = Pick<Customer, 'externalCustomerId' | 'name' | 'email'>;

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
