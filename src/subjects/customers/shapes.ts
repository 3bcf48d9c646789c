import { z } from 'zod';
import { column } from '../../ground/db/rows.ts';

export const integrationRow = z.object({
  id: z.string(),
  name: z.string(),
  standardSeriesId: z.string().nullable(),
  rectifyingSeriesId: z.string().nullable(),
  createdAt: column.instant,
});

/** A shop or billing system of the merchant. */
export type Integration = Readonly<z.output<typeof integrationRow>>;

export const customerRow = z.object({
  id: z.string(),
  integrationId: z.string(),
  externalCustomerId: z.string(),
  name: z.string().nullable(),
  email: z.string().nullable(),
  createdAt: column.instant,
});

/** A buyer of an integration, under the integration's own id. */
export type Customer = Readonly<z.output<typeof customerRow>>;

/** The customer data of an order. */
export type CustomerFacts = Pick<Customer, 'externalCustomerId' | 'name' | 'email'>;

/** Filters for a list of customers; exact matches. */
export type CustomerFilter = {
  readonly integrationId?: string | undefined;
  readonly externalCustomerId?: string | undefined;
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
