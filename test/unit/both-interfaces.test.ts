import { expect, test } from 'vitest';
import { CONTRACT } from '../../rest/contract/all.ts';
import { permissionNeeded, schema } from '../../src/faces/graphql/schema.ts';

/** What a merchant's key can do it can do over both interfaces, but for this. */

/** Of GraphQL alone, and why. */
const OF_GRAPHQL: Readonly<Record<string, string>> = {
  node: 'any object by its id: in REST an id has its path',
  nodes: 'any objects by their ids: in REST an id has its path',
  viewer: 'what a key is: a caller of REST is told what is missing when it is refused',
  invoiceTotals: 'sums by what the query asks for; REST has register books and filtered lists',
  invoiceChanged: 'live updates of pages; REST has events and webhooks',
  sendingIncident: 'a notice on pages while the agency is out of reach; REST shows `verifactu.status`',
  auditLog: 'for people, who read it in the console',
  checkpoint: 'for auditors, who compare it with the command line',
  integrations: 'made by operators; customers of REST name them by `integration_id`',
  taxCatalog: 'all that an operator has set; REST has `tax_types`, which is what may be sent',
  companyBrandingSample: 'a picture for whoever sets the branding by hand, in the console',
  issueInvoiceFromOrder: 'orders of integrations, which ask over GraphQL (docs/contract.md#customers)',
  amendRecord: 'a correction of the record alone, decided by a person who reads the agency’s answer',
  setDefaultNumberSeries: 'series of REST are immutable (docs/contract.md#number-series)',
  allowedOrigins: 'about pages that send GraphQL',
  setAllowedOrigins: 'about pages that send GraphQL',
  trustedDocuments: 'about documents of GraphQL',
  publishDocuments: 'about documents of GraphQL',
  requireTrustedDocuments: 'about documents of GraphQL',
  redeliverFailedWebhooks: 'many at once; REST redelivers one, and sends a period again by `replay`',
  invoiceFile: 'the bytes behind a signed link, which REST serves itself',
};

/** Of REST alone, and why: files behind signed links, which need no key. */
const isFile = (path: string): boolean => path.endsWith('/file');

const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].flatMap(
  (type) => Object.keys(type!.getFields()),
);
const inRest = new Set(CONTRACT.map(({ field }) => field.split('.', 1)[0]!));

test('every operation of REST is one of GraphQL', () => {
  const without = CONTRACT.filter(
    ({ field, path }) => !roots.includes(field.split('.', 1)[0]!) && !isFile(path),
  );
  expect(without.map(({ id }) => id)).toEqual([]);
});

test('what a merchant’s key may do in GraphQL it may do in REST, unless it is said why not', () => {
  const isOfMerchants = (name: string): boolean => {
    const permission = permissionNeeded(name);
    return Object.keys(permission).some((kind) => kind !== 'role');
  };
  const without = roots.filter((name) => isOfMerchants(name) && !inRest.has(name));
  expect(without.sort()).toEqual(Object.keys(OF_GRAPHQL).sort());
});
