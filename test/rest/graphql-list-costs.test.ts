import { complexityFromQuery } from '@pothos/plugin-complexity';
import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  parse,
} from 'graphql';
import { describe, expect, test } from 'vitest';
import { GRAPHQL_LIMITS } from '../../src/faces/graphql/limits.ts';
import { schema } from '../../src/faces/graphql/schema.ts';
import { CAUSE_NAMES } from '../../src/ground/lib/causes.ts';
import { tasks } from '../../src/ground/queue/tasks.ts';
import { KEY_SCOPES } from '../../src/subjects/accounts/entry/permissions.ts';
import { ACCOUNT_LIMITS } from '../../src/subjects/accounts/limits.ts';
import { EMAIL_LIMITS } from '../../src/subjects/emails/limits.ts';
import { MAX_DISBURSEMENTS } from '../../src/subjects/extensions/disbursements.ts';
import { FORMAT_NAMES } from '../../src/subjects/formats/types.ts';
import { MAX_LINES } from '../../src/subjects/issuing/request.ts';
import { KEPT } from '../../src/subjects/leaving/kept.ts';
import { NUMBERED } from '../../src/subjects/operations/store/read-location.ts';
import { CAUSES } from '../../src/subjects/operations/store/read-views.ts';
import { PAYMENT_LIMITS } from '../../src/subjects/payments/limits.ts';
import { TAX_TYPES } from '../../src/subjects/taxes/types.ts';
import { ATTEMPTS_KEPT } from '../../src/subjects/webhooks/shapes.ts';
import { COUNTED } from './graphql-counted-lists.ts';

/** The most items of each list without pages. Its cost before anything is read is that of so many. */
const MOST: Record<string, number> = {
  'AccessToken.scopes': KEY_SCOPES.length,
  'AllowedOrigins.origins': ACCOUNT_LIMITS.origins.value,
  'ApiKey.scopes': KEY_SCOPES.length,
  'ChainStep.findings': 20,
  'ChainVerification.findings': 100,
  'Erasure.kept': KEPT.length,
  'EmailSettings.reminderDays': EMAIL_LIMITS.remindersOfInvoice.value,
  'Invoice.formats': FORMAT_NAMES.length,
  'InvoiceEmail.formats': FORMAT_NAMES.length,
  'InvoiceEmail.to': EMAIL_LIMITS.emailRecipients.value,
  'InvoiceSchedule.nextDates': 5,
  'NewInstallation.jumps': GRAPHQL_LIMITS.listRows.value,
  'TaxTypeOffer.rates': 12,
  'TaxTypeOffer.surcharges': 4,
  'Operations.failures': CAUSES,
  // The longest span is two days of half-hours, or a month of days.
  'Operations.history': 60,
  'Operations.invoicesNumbered': NUMBERED,
  'Operations.standingCauses': CAUSE_NAMES.length,
  'Operations.queue': Object.keys(tasks).length,
  'Query.declarations': 100,
  'Query.taxCatalog': TAX_TYPES.length,
  'Query.taxTypes': TAX_TYPES.length,
  'Query.writtenEmails': 50,
  'ValidatedInvoice.warnings': 5,
  'Viewer.scopes': KEY_SCOPES.length,
  'WebhookDelivery.attemptLog': ATTEMPTS_KEPT,
  // All types, or `*`.
  'WebhookEndpoint.eventTypes': 26,
  'WrittenEmail.attachments': 1 + FORMAT_NAMES.length,
  'WrittenEmail.to': EMAIL_LIMITS.emailRecipients.value,
};

/** Values that are made within some tenths of a second. */
const ANSWERED = 250_000;

/** Lists that cost a usual number of items, because a query of nothing but the longest ones still has few enough values. */
const FEW: Record<string, number> = {
  'DraftInvoice.disbursements': MAX_DISBURSEMENTS,
  'DraftInvoice.lineItems': MAX_LINES,
  'DraftLine.taxItems': 10,
  'DraftRectifies.invoiceIds': 100,
  // Of one that followed nineteen returns.
  'ExchangeCorrection.exchanges': 40,
  'Invoice.disbursements': MAX_DISBURSEMENTS,
  'Invoice.recipientStatuses': PAYMENT_LIMITS.recipientStatuses.value,
  'InvoiceBatchError.errors': 50,
  'InvoiceDraft.errors': 50,
  // The recipients, and the company's copy.
  'InvoiceEmail.deliveries': EMAIL_LIMITS.emailRecipients.value + 1,
  // Those of exempt operations, if they are declared as IGIC.
  'TaxTypeOffer.treatments': 66,
  'ValidatedInvoice.errors': 50,
};

/** Lists whose length is an argument of the field that leads to them. */
const BY_ARGUMENT: Record<string, number> = { 'ChainStretch.records': 25 };

type AnyField = GraphQLField<unknown, unknown>;
type Found = { readonly name: string; readonly path: readonly AnyField[]; readonly field: AnyField };

const typesWithFields = () =>
  Object.values(schema.getTypeMap()).filter((type) => isObjectType(type) || isInterfaceType(type));

const isList = ({ type }: AnyField) => isListType(getNullableType(type));
const isPaged = ({ args }: AnyField) => args.some(({ name }) => name === 'first');
const isConnection = ({ type }: AnyField) => getNamedType(type).name.endsWith('Connection');

/** The shortest way from a root to each type. */
function waysToTypes(): Map<string, readonly AnyField[]> {
  const roots = [schema.getQueryType()!, schema.getMutationType()!, schema.getSubscriptionType()!];
  const ways = new Map<string, readonly AnyField[]>(roots.map(({ name }) => [name, []]));
  const waiting = roots.map(({ name }) => name);
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
    const type = schema.getType(name);
    if (!isObjectType(type) && !isInterfaceType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      const next = getNamedType(field.type).name;
      if (ways.has(next)) continue;
      ways.set(next, [...ways.get(name)!, field]);
      waiting.push(next);
    }
  }
  return ways;
}

const WAYS = waysToTypes();

/** Every list of the schema: what is a list, and what is a connection. */
const LISTS: Found[] = typesWithFields()
  .filter(({ name }) => !name.startsWith('__') && !name.endsWith('Connection'))
  .flatMap((type) =>
    Object.values(type.getFields())
      .filter((field) => isList(field) || isConnection(field))
      .map((field) => ({ name: `${type.name}.${field.name}`, path: WAYS.get(type.name)!, field })),
  );

/** Of those that are counted as they are, a page is as well. */
const isCounted = ({ name }: Found) => COUNTED.some((counted) => counted === name);
const PAGED = LISTS.filter((list) => !isCounted(list) && (isConnection(list.field) || isPaged(list.field)));
const WITHOUT_PAGES = LISTS.filter((list) => !PAGED.includes(list));

function rootOf(first: AnyField): string {
  const roots = { query: schema.getQueryType()!, mutation: schema.getMutationType()! };
  const [kind] = Object.entries(roots).find(([, type]) => type.getFields()[first.name] === first) ?? [
    'subscription',
  ];
  return kind;
}

/** A value that fits, of an argument that must be there. */
function literalOf(type: GraphQLInputType): string {
  const inner = getNullableType(type);
  if (isListType(inner)) return `[${literalOf(inner.ofType)}]`;
  if (isEnumType(inner)) return inner.getValues()[0]!.name;
  if (isInputObjectType(inner)) return `{ ${requiredOf(Object.values(inner.getFields())).join(', ')} }`;
  return LITERALS[inner.name] ?? '"x"';
}

const LITERALS: Record<string, string> = { Int: '1', SafeInt: '1', Boolean: 'true', Date: '"2026-01-01"' };

const requiredOf = (inputs: readonly (GraphQLArgument | GraphQLInputField)[]): string[] =>
  inputs
    .filter((input) => isNonNullType(input.type) && input.defaultValue === undefined)
    .map(({ name, type }) => `${name}: ${literalOf(type)}`);

type Page = { readonly first?: number; readonly last?: number };

/** A field as it is written: with what must be there, and a page where it takes one. */
function written({ name, args }: AnyField, page: Page): string {
  const paged = Object.entries(page).filter(([argument]) => args.some((one) => one.name === argument));
  const given = [...requiredOf(args), ...paged.map(([argument, size]) => `${argument}: ${size}`)];
  return given.length === 0 ? name : `${name}(${given.join(', ')})`;
}

/** The cost of a document that selects so much at the end of a way, as a query from outside is measured. */
function costOf(way: readonly AnyField[], selection: string, page: Page = {}): number {
  const inside = way.reduceRight((below, field) => `${written(field, page)} { ${below} }`, selection);
  const document = parse(`${rootOf(way[0]!)} { ${inside} }`);
  return complexityFromQuery(document, { schema, ctx: {}, variables: {} }).complexity;
}

const aliases = (count: number) =>
  Array.from({ length: count }, (_, index) => `a${index}: __typename`).join(' ');

/** How often something below a field costs, for one of the object that has the field. */
function multiplierOf({ path, field }: Found, page: Page = {}): number {
  const below = (count: number) => {
    const selected = aliases(count);
    return isConnection(field) ? `edges { node { ${selected} } }` : selected;
  };
  const way = [...path, field];
  const each = costOf(way, below(2), page) - costOf(way, below(1), page);
  if (path.length === 0) return each;
  return each / (costOf(path, aliases(2), page) - costOf(path, aliases(1), page));
}

/** What a list of texts costs, for one of the object that has it. */
function costOfTexts({ path, field }: Found): number {
  const each = costOf(path, aliases(2)) - costOf(path, aliases(1));
  return (costOf(path, `${aliases(1)} ${field.name}`) - costOf(path, aliases(1))) / each;
}

test('every list is paged, or has a most, or is counted', () => {
  const known = [...Object.keys(MOST), ...Object.keys(FEW), ...Object.keys(BY_ARGUMENT), ...COUNTED];
  expect(WITHOUT_PAGES.map(({ name }) => name).toSorted()).toEqual(known.toSorted());
});

test.each(WITHOUT_PAGES)('$name states its cost', ({ name, field }) => {
  const { pothosOptions } = field.extensions as { pothosOptions: { complexity?: unknown } };
  expect(pothosOptions.complexity, `${name} costs what no one has stated`).toBeDefined();
});

describe('before anything is read, a list costs all items that can be there', () => {
  test.each(WITHOUT_PAGES.filter(({ name }) => name in MOST))('$name', (list) => {
    const most = MOST[list.name]!;
    const costs = isLeafType(getNamedType(list.field.type)) ? costOfTexts(list) : multiplierOf(list);
    expect(costs).toBeGreaterThanOrEqual(most);
  });

  test.each(WITHOUT_PAGES.filter(({ name }) => name in FEW))('$name, or a usual number of few', (list) => {
    const longest = FEW[list.name]! / multiplierOf(list);
    expect(longest * GRAPHQL_LIMITS.cost.value).toBeLessThanOrEqual(ANSWERED);
  });

  test.each(WITHOUT_PAGES.filter(({ name }) => name in BY_ARGUMENT))('$name, by its argument', (list) => {
    const way = [...list.path, list.field];
    const each = (page: Page) => costOf(way, aliases(2), page) - costOf(way, aliases(1), page);
    expect(each({})).toBe(BY_ARGUMENT[list.name]);
    expect(each({ first: 7 })).toBe(7);
    // Less than nothing would pay for what stands beside it.
    expect(costOf(way, aliases(1), { first: -1_000 })).toBeGreaterThan(0);
  });

  /** A company has a test and a live environment, whatever the page. */
  const TWO = new Set(['Company.environments']);

  test.each(PAGED)('a page of $name', (list) => {
    if (TWO.has(list.name)) {
      expect(multiplierOf(list)).toBe(2);
      return;
    }
    const usual = multiplierOf(list);
    expect([25, 50]).toContain(usual);
    expect(multiplierOf(list, { first: 7 })).toBe(7);
    if (isConnection(list.field)) expect(multiplierOf(list, { last: 7 })).toBe(7);
    expect(multiplierOf(list, { first: -1 })).toBe(1);
    expect([100, 200, 500]).toContain(multiplierOf(list, { first: 1_000_000 }));
  });
});
