import { isDeepStrictEqual } from 'node:util';
import { addTypenameToDocument } from '@apollo/client/utilities';
import {
  type GraphQLField,
  type GraphQLObjectType,
  getNamedType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
  parse,
  print,
} from 'graphql';
import { schema } from '../../src/faces/graphql/schema.ts';
import type { TestService } from '../support/http/http-service.ts';
import type { Data, Question } from './normalized-cache.ts';

/** What a front end's normalized cache should hold of all objects, and what the service answers about them. */

/** The ids of the objects of each type, as statements: what `node` finds of the type. */
const IDS: Readonly<Record<string, string>> = {
  Account: 'select id from account',
  AllowedOrigins: `select 'ori_' || id as id from environment`,
  ApiKey: 'select id from api_key union all select id from operator_key',
  Approval: 'select id from approval',
  ChainHealth: `select 'chain_' || chain_id as id from ops.pending_per_chain`,
  ClientCertificate: 'select id from client_certificate',
  Company: 'select id from company',
  CompanyBranding: `select 'brd_' || id as id from environment`,
  CompanyEnvironment: `select 'env_' || id as id from environment`,
  Customer: 'select id from customer',
  EmailSettings: `select 'ems_' || id as id from environment`,
  Integration: 'select id from integration',
  Invoice: 'select id from invoice',
  InvoiceBatch: 'select id from invoice_batch',
  InvoiceBatchResult: `select 'bar_' || substr(batch_id, 5) || '_' || position as id from invoice_batch_item`,
  InvoiceDraft: 'select id from invoice_draft',
  InvoiceEmail: 'select id from invoice_email',
  InvoiceSchedule: 'select id from invoice_schedule',
  Job: `select 'job_' || id as id from graphile_worker._private_jobs where key = 'kept'`,
  LineItem: 'select id from invoice_line',
  NumberSeries: 'select id from number_series',
  Payment: 'select id from invoice_payment',
  RegistrationRecord: 'select id from registration_record',
  Submission: 'select id from submission',
  TaxCatalogRow: `select 'tcr_' || company_id || '_' || tax_type as id from tax_catalog_entry`,
  TestClock: `select 'clk_' || id as id from environment where kind = 'test'`,
  TrustedDocuments: `select 'trd_' || id as id from environment`,
  VerificationState: `select 'ver_' || environment_id as id from ops.verification`,
  WebhookDelivery: 'select id from webhook_delivery',
  WebhookEndpoint: 'select id from webhook_endpoint',
};

/** Types of objects that are never changed. */
const UNCHANGING = ['AuditEntry', 'Event'];

/** Values that change without a mutation, or with each record that is issued or sent, and why no mutation returns them. */
const CHANGING_BY_THEMSELVES: Readonly<Record<string, string>> = {
  'ChainHealth.nextSendAt': 'the worker’s, after each envelope',
  'ChainHealth.oldestPendingAt': 'changes with each record',
  'ChainHealth.pending': 'changes with each record',
  'CompanyEnvironment.records': 'changes with each record',
  'Invoice.formats': 'is computed, also from the company and its certificate',
  'Invoice.proof': 'is computed for the journal as it is at the moment',
  'TestClock.now': 'the time',
  'TestClock.target': 'the time that it will be, which goes on meanwhile',
};

/** The fields of an invoice that ever change. The others are compared too, but an answer has no room for three times all. */
const CHANGING_OF_INVOICES = new Set([
  ...[
    'amountDue',
    'amountPaid',
    'businessStatuses',
    'customer',
    'draft',
    'emails',
    'events',
    'exchangedBy',
    'family',
    'id',
  ],
  ...['metadata', 'paymentStatus', 'payments', 'pdfUrl', 'recipientStatus', 'recipientStatuses', 'records'],
  ...['rectifiedBy', 'status', 'updatedAt', 'verifactu'],
]);

/** As many of a list as are compared; an answer selects the same, so that a cache knows both as one field. */
const FEW = 5;

const isNode = (type: GraphQLObjectType): boolean => type.getInterfaces().some(({ name }) => name === 'Node');

const NODES = Object.values(schema.getTypeMap()).filter(isObjectType).filter(isNode);

export const UNKNOWN_TYPES = NODES.map(({ name }) => name).filter(
  (name) => !(name in IDS) && !UNCHANGING.includes(name),
);

/** All values of an object, with the ids of the objects that it leads to. */
function selectionOf(
  type: GraphQLObjectType,
  isWanted: (field: GraphQLField<unknown, unknown>) => boolean = () => true,
): string {
  return Object.values(type.getFields())
    .filter(isWanted)
    .filter((field) => field.deprecationReason == null && !field.args.some(isRequiredArgument))
    .filter(({ name }) => !(`${type.name}.${name}` in CHANGING_BY_THEMSELVES))
    .map(selected)
    .join(' ');
}

function selected({ name, type }: GraphQLField<unknown, unknown>): string {
  const own = getNamedType(type);
  if (isLeafType(own)) return name;
  if (!isObjectType(own)) return '';
  if (isNode(own)) return `${name} { id }`;
  if (own.name.endsWith('Connection')) return `${name}(first: ${FEW}) { edges { node { id } } }`;
  return `${name} { ${selectionOf(own)} }`;
}

const SELECTIONS = new Map(NODES.map((type) => [type.name, selectionOf(type)]));

/** A document with the fragments that it uses: `...Customer` are all values of a customer. */
function withFragments(document: string, selections: ReadonlyMap<string, string>): string {
  const used = new Set([...document.matchAll(/\.\.\.([A-Z]\w+)/g)].map(([, name]) => name!));
  const fragments = [...used].map((name) => `fragment ${name} on ${name} { ${selections.get(name)} }`);
  return print(addTypenameToDocument(parse([document, ...fragments].join(' '))));
}

const CHANGING = new Map(SELECTIONS).set(
  'Invoice',
  selectionOf(schema.getType('Invoice') as GraphQLObjectType, ({ name }) => CHANGING_OF_INVOICES.has(name)),
);

/** A mutation with its fragments, which have every value that may change. */
export const asMutation = (document: string): string => withFragments(document, CHANGING);

/** Of so many objects at a time; so many fields in a document, and values of its answer, which are bounded. */
const AT_ONCE = 20;
const MOST_FIELDS = 170;
const MOST_VALUES = 10_000;

/** The ids of all objects that there are now. */
export async function idsOf({ owner }: TestService): Promise<string[]> {
  const { rows } = await owner.query<{ id: string }>(Object.values(IDS).join(' union all '));
  return rows.map(({ id }) => id);
}

/** Queries for all objects that there are now. */
export async function questionsOf({ owner }: TestService): Promise<Question[]> {
  const parts: { type: string; ids: string[] }[] = [];
  for (const [type, text] of Object.entries(IDS)) {
    const { rows } = await owner.query<{ id: string }>(`select id from (${text}) as all_ids order by id`);
    for (let from = 0; from < rows.length; from += AT_ONCE) {
      parts.push({ type, ids: rows.slice(from, from + AT_ONCE).map(({ id }) => id) });
    }
  }
  const groups: (typeof parts)[] = [];
  let [fields, values] = [MOST_FIELDS, 0];
  for (const part of parts) {
    // With the `__typename` of each object, and the field that it is read by.
    const own = SELECTIONS.get(part.type)!.match(/\w+|\{/g)!.length + 3;
    fields += own;
    values += own * part.ids.length;
    if (fields > MOST_FIELDS || values > MOST_VALUES) {
      groups.push([]);
      [fields, values] = [own, own * part.ids.length];
    }
    groups.at(-1)!.push(part);
  }
  return groups.map((group) => ({
    document: withFragments(
      `query (${group.map((_, index) => `$ids${index}: [ID!]!`).join(', ')}) { ${group
        .map(({ type }, index) => `ids${index}: nodes(ids: $ids${index}) { id ...${type} }`)
        .join(' ')} }`,
      SELECTIONS,
    ),
    variables: Object.fromEntries(group.map(({ ids }, index) => [`ids${index}`, ids])),
  }));
}

export type Shown = Readonly<Record<string, unknown>>;

/** The objects in answers to questions, by their ids; those that are gone are missing. */
export function objectsIn(answers: readonly Data[]): Map<string, Shown> {
  const found = new Map<string, Shown>();
  for (const object of answers.flatMap((answer) => Object.values(answer).flat() as (Shown | null)[]))
    if (object !== null && typeof object === 'object') found.set(String(object['id']), object);
  return found;
}

/** What differs of each object, with what the cache holds and what the service answers. */
export function differences(
  cached: ReadonlyMap<string, Shown>,
  read: ReadonlyMap<string, Shown>,
): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const [id, now] of read) {
    const kept = cached.get(id);
    for (const [field, value] of Object.entries(now)) {
      if (isDeepStrictEqual(kept?.[field], value)) continue;
      found[`${field} of ${id}`] = { cached: kept?.[field], read: value };
    }
  }
  return found;
}
