import { isRefusal, type Outcome, Refusal } from '../../ground/errors/refusal.ts';
import type { Day } from '../../ground/lib/calendar.ts';
import type { Services } from '../../services.ts';
import type { Scope } from '../../subjects/accounts/entry/caller.ts';
import type { KeyScope } from '../../subjects/accounts/entry/permissions.ts';
import type { PortalVisitor } from '../../subjects/customers/shapes.ts';
import type { Documents } from '../../subjects/documents/document.ts';
import type { FormatServices } from '../../subjects/formats/format.ts';
import type { Exchanging } from '../../subjects/rectifying/exchange.ts';
import type { Context, ContextFactory } from '../graphql/context.ts';
import { stored } from '../graphql/stored.ts';
import { EXTENSION_FIELDS, type ShownExtensions } from '../web/invoice-extensions.ts';
import { LINE_TERMS_FIELDS, type ShownTerms } from '../web/line-terms.ts';
import type { ListFilter, RegistrationState } from './filters.ts';

/** What the portal works with besides operations: sessions, documents, and the exchange that customers may request. */
export type PortalServices = Documents &
  FormatServices &
  Exchanging &
  Pick<
    Services,
    | 'config'
    | 'db'
    | 'attempts'
    | 'slowLane'
    | 'shares'
    | 'rateLimits'
    | 'eventLoop'
    | 'unread'
    | 'streams'
    | 'feed'
    | 'readInvoice'
    | 'log'
  >;

/** Who reads: everything that is read is narrowed to this customer before it reaches a page. */
export type Reader = {
  readonly services: PortalServices;
  readonly createContext: ContextFactory;
  readonly visitor: PortalVisitor;
  readonly scope: Scope;
  readonly requestId: string;
};

const PAGE_SIZE = 20;

const NO_KEY = { keyExpiresAt: null, accessToken: null };
const READING: ReadonlySet<KeyScope> = new Set(['read']);

const LIST = stored(
  `query PortalInvoices($first: Int!, $after: String, $filter: InvoiceFilter!) {
    answer: invoices(first: $first, after: $after, filter: $filter) {
      edges { node {
        id number type kind status total invoiceDate issuedOn verifactu { status } rectifiedBy { id }
        exchangedBy { id }
      } }
      pageInfo { hasNextPage endCursor }
    }
  }`,
);

const ONE = stored(
  `query PortalInvoice($id: ID!) {
    answer: invoice(id: $id) {
      id number type kind status subtotal tax total invoiceDate issuedOn operationDate notes orderId
      integrationId externalCustomerId email verifactu { status qrUrl }
      recipient { name companyName taxId address { line1 line2 postalCode city country } }
      lineItems { description sku ${LINE_TERMS_FIELDS} subtotal taxItems { name } }
      rectifies { invoiceId external { number } } rectifiedPeriod { from to } rectifiedBy { id }
      exchanges { id } exchangedBy { id }
      ${EXTENSION_FIELDS}
    }
  }`,
);

const REFERENCE = stored(
  'query PortalReference($id: ID!) { answer: invoice(id: $id) { id number integrationId externalCustomerId } }',
);

type Link = { readonly id: string };

type Summary = {
  readonly id: string;
  readonly number: string;
  readonly type: 'complete' | 'simplified';
  readonly kind: 'original' | 'rectifying_differences' | 'rectifying_substitution' | 'exchange';
  readonly status: 'issued' | 'voided';
  readonly total: number;
  readonly invoiceDate: string;
  readonly issuedOn: Day;
  readonly verifactu: { readonly status: RegistrationState } | null;
  readonly rectifiedBy: readonly Link[];
  readonly exchangedBy: Link | null;
};

/** An invoice as a list shows it. */
export type ListedInvoice = Summary;

type Owned = { readonly integrationId: string | null; readonly externalCustomerId: string | null };

/** An invoice as its own page shows it. */
export type PortalInvoice = Owned &
  ShownExtensions &
  Omit<Summary, 'verifactu'> & {
    readonly subtotal: number;
    readonly tax: number;
    readonly operationDate: string;
    readonly notes: string | null;
    readonly orderId: string | null;
    readonly email: string | null;
    readonly verifactu: { readonly status: RegistrationState; readonly qrUrl: string } | null;
    readonly recipient: {
      readonly name: string | null;
      readonly companyName: string | null;
      readonly taxId: string | null;
      readonly address:
        | {
            readonly [Part in 'line1' | 'line2' | 'postalCode' | 'city' | 'country']: string | null;
          }
        | null;
    } | null;
    readonly lineItems: readonly (ShownTerms & {
      readonly description: string;
      readonly sku: string | null;
      readonly subtotal: number;
      readonly taxItems: readonly { readonly name: string }[];
    })[];
    readonly rectifiedPeriod: { readonly from: string; readonly to: string } | null;
    readonly rectifies: readonly {
      readonly invoiceId: string | null;
      readonly external: { readonly number: string } | null;
    }[];
    readonly exchanges: readonly Link[];
  };

/** Another invoice that a page names, and leads to. */
export type Reference = { readonly id: string; readonly number: string };

/** A page of the customer's invoices, newest first. `after` must name one of them, else it is `invoice_not_found`. */
export async function customerInvoices(
  reader: Reader,
  filter: ListFilter,
  after: string | null,
): Promise<Outcome<{ readonly invoices: readonly ListedInvoice[]; readonly next: string | null }>> {
  const place = after === null ? null : await findReference(reader, after);
  if (isRefusal(place)) return place;
  const { externalCustomerId, integrationId } = reader.visitor;
  const ofCustomer = { ...filter, externalCustomerId, integrationId };
  const found = await LIST(contextOf(reader), { filter: ofCustomer, first: PAGE_SIZE, after });
  if (isRefusal(found)) return found;
  const { edges, pageInfo } = found.answer;
  return {
    invoices: edges.map(({ node }) => node),
    next: pageInfo.hasNextPage ? pageInfo.endCursor : null,
  };
}

/** One of the customer's invoices; anybody else's is `invoice_not_found`, like one that does not exist. */
export async function customerInvoice(reader: Reader, id: string): Promise<Outcome<PortalInvoice>> {
  return owned(reader, await ONE(contextOf(reader), { id }));
}

/** Those of the invoices that are the customer's own, in the given order. */
export async function references(reader: Reader, links: readonly Link[]): Promise<readonly Reference[]> {
  const found = await Promise.all(links.map(({ id }) => findReference(reader, id)));
  return found.flatMap((reference) => (isRefusal(reference) ? [] : [reference]));
}

async function findReference(reader: Reader, id: string): Promise<Outcome<Reference>> {
  return owned(reader, await REFERENCE(contextOf(reader), { id }));
}

function owned<Found extends Owned>(
  { visitor }: Reader,
  found: Outcome<{ readonly answer: Found }>,
): Outcome<Found> {
  if (isRefusal(found)) return found;
  const { integrationId, externalCustomerId } = found.answer;
  const isOfCustomer =
    integrationId === visitor.integrationId && externalCustomerId === visitor.externalCustomerId;
  return isOfCustomer ? found.answer : new Refusal('invoice_not_found', 'The customer has no such invoice.');
}

/** Reads as the merchant of the environment would; what may be shown of it is decided above. */
function contextOf({ createContext, scope, visitor, requestId }: Reader): Context {
  return createContext({
    caller: {
      ...scope,
      kind: 'merchant',
      keyId: visitor.sessionId,
      keyPrefix: 'portal',
      scopes: READING,
      ...NO_KEY,
    },
    requestId,
    bounded: false,
  });
}
