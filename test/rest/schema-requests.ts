import fc from 'fast-check';
import { CORRECTED, invoice } from '../../rest/openapi/examples.ts';
import { document, type Operation, operations } from '../support/http/openapi.ts';
import { type Json, mutate, mutation, TEXTS, written } from './hostile-bodies.ts';

/** Those of one company, and the test environment of another that sets its own clock. */
export type Environment = 'test' | 'live' | 'clocked';

/** A request that is made of the OpenAPI document. */
export type SchemaRequest = {
  /** As the document calls it: `GET /v1/invoices/{id}`. */
  readonly operation: string;
  readonly url: string;
  readonly environment: Environment;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
};

type Texts = Readonly<Record<string, readonly string[]>>;

/** What is there for requests to name. */
export type ExistingObjects = {
  /** Ids, by the part of the path that they belong behind. */
  readonly ids: Texts;
  /** Signed links and what needs more than one id, as path and query, by the operation that they request. */
  readonly targets: Texts;
  /** The day on which the invoices were issued: what the examples say of their own day is said of it. */
  readonly day: string;
};

type Schema = { readonly [keyword: string]: unknown };

function resolved(schema: Schema): Schema {
  const reference = schema['$ref'];
  if (typeof reference !== 'string') return schema;
  const steps = reference.slice(2).split('/');
  return steps.reduce<unknown>((node, step) => (node as Schema)[step], document) as Schema;
}

/** Texts that mean something somewhere. */
const KNOWN = ['F-2026-1', 'ana@example.com', '12345678Z', 'DE136695976', 'B72877814', 'CENSO CAIDO SL', '1'];
/** The longest and furthest that the forms of durations, days and instants have. */
const EXTREME = [
  ...['PT12H', 'P1000000000Y', 'PT9007199254740991S', '-P1D', 'P0D', 'PT0.000000001S', 'P4294967295Y'],
  ...['0001-01-01', '9999-12-31', '0001-01-01T00:00:00+14:00', '9999-12-31T23:59:59.999-14:00'],
];

function texts(schema: Schema, ids: readonly string[]): fc.Arbitrary<Json> {
  if (schema['format'] === 'date') {
    return fc.oneof(
      fc.constantFrom('2026-01-01', '2025-01-01', '2024-12-31', '2999-01-01', '0001-01-01', '9999-12-31'),
      fc.date({ noInvalidDate: true }).map((date) => date.toISOString().slice(0, 10)),
    );
  }
  if (schema['format'] === 'date-time') {
    return fc.oneof(
      { weight: 1, arbitrary: fc.constantFrom(...EXTREME) },
      {
        weight: 6,
        arbitrary: fc
          .date({ noInvalidDate: true, min: new Date('1990-01-01'), max: new Date('2100-01-01') })
          .map((date) => date.toISOString()),
      },
    );
  }
  if (schema['format'] === 'uri' || schema['format'] === 'url') {
    return fc.oneof(fc.constantFrom('https://example.com/x', 'http://localhost:9/'), fc.webUrl());
  }
  const { minLength = 0, maxLength = 40 } = schema as { minLength?: number; maxLength?: number };
  const most = Math.max(Number(minLength), Math.min(Number(maxLength), 40));
  return fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...KNOWN, ...ids) },
    { weight: 1, arbitrary: fc.constantFrom(...TEXTS, ...EXTREME) },
    { weight: 3, arbitrary: fc.string({ minLength: Number(minLength), maxLength: most }) },
    { weight: 1, arbitrary: fc.string({ unit: 'grapheme', minLength: Number(minLength), maxLength: most }) },
  );
}

function numbers(schema: Schema, isWhole: boolean): fc.Arbitrary<Json> {
  const { minimum = -1e12, maximum = 1e12 } = schema as { minimum?: number; maximum?: number };
  const [min, max] = [Math.ceil(minimum), Math.floor(maximum)];
  const edges = [0, 1, 2, min, max].filter((value) => value >= min && value <= max);
  const whole = fc.oneof(fc.constantFrom(...edges), fc.integer({ min, max }));
  return isWhole ? whole : fc.oneof(fc.constantFrom(0, 4, 10, 21, 7.5), whole);
}

/** JSON that a schema of the document allows, as far as the schema says. */
function fromSchema(given: Schema, ids: readonly string[]): fc.Arbitrary<Json> {
  const schema = resolved(given);
  const { enum: values, anyOf, type } = schema as { enum?: Json[]; anyOf?: Schema[]; type?: string };
  if ('const' in schema) return fc.constant(schema['const'] as Json);
  if (values !== undefined) return fc.constantFrom(...values);
  if (anyOf !== undefined) return fc.oneof(...anyOf.map((choice) => fromSchema(choice, ids)));
  switch (type) {
    case 'object':
      return objects(schema, ids);
    case 'array': {
      const { minItems = 0, maxItems = 3 } = schema as { minItems?: number; maxItems?: number };
      const maxLength = Math.max(minItems, Math.min(maxItems, 3));
      return fc.array(fromSchema(schema['items'] as Schema, ids), { minLength: minItems, maxLength });
    }
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'integer':
    case 'number':
      return numbers(schema, type === 'integer');
    default:
      return texts(schema, ids);
  }
}

function objects(schema: Schema, ids: readonly string[]): fc.Arbitrary<Json> {
  const { properties = {}, required = [] } = schema as {
    properties?: Record<string, Schema>;
    required?: string[];
  };
  const fields = Object.entries(properties).map(([name, field]) => {
    const value = fromSchema(field, ids).map((one) => ({ [name]: one }));
    return required.includes(name) ? value : fc.option(value, { nil: {}, freq: 1 });
  });
  return fc.tuple(...fields).map((parts) => Object.assign({}, ...parts) as Json);
}

type Change = (value: unknown) => void;

/** Gives one field of an object, or of one within it, another value that its schema allows. */
function oneField(given: Schema, ids: readonly string[]): fc.Arbitrary<Change> {
  const { anyOf = [], items, ...schema } = resolved(given) as { anyOf?: Schema[]; items?: Schema } & Schema;
  const { properties } = (anyOf.map(resolved).find((choice) => 'properties' in choice) ?? schema) as {
    properties?: Record<string, Schema>;
  };
  if (items !== undefined) {
    return oneField(items, ids).map((change) => (value) => Array.isArray(value) && value.forEach(change));
  }
  if (properties === undefined) return fc.constant(() => {});
  return fc.constantFrom(...Object.entries(properties)).chain(([name, field]) =>
    fc.oneof(
      fromSchema(field, ids).map(
        (other): Change =>
          (value) =>
            set(value, name, other),
      ),
      oneField(field, ids).map(
        (change): Change =>
          (value) =>
            isObject(value) && change(value[name]),
      ),
    ),
  );
}

function set(value: unknown, name: string, other: Json): void {
  if (isObject(value)) value[name] = other;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

const EXAMPLES_DAY = invoice.invoice_date.slice(0, 10);

/** A valid body changed in one place, one as its schema allows, or one that the document shows. */
function bodies(
  { requestBody }: Operation,
  ids: readonly string[],
  day: string,
): fc.Arbitrary<string | null> {
  const content = requestBody?.content?.['application/json'];
  if (content === undefined) return fc.constant(null);
  const shown = Object.values(content.examples ?? {}).map(({ value }) => JSON.stringify(value));
  const example = fc
    .tuple(fc.constantFrom(...shown), fc.constantFrom(...ids))
    .map(([text, id]) => JSON.parse(text.replaceAll(CORRECTED, id).replaceAll(EXAMPLES_DAY, day)) as Json);
  const mutated = fc.tuple(example, mutation).map(([value, one]) => {
    mutate(value, one);
    return value;
  });
  const varied = fc.tuple(example, oneField(content.schema as Schema, ids)).map(([value, change]) => {
    change(value);
    return value;
  });
  return fc
    .oneof(
      { weight: 5, arbitrary: mutated },
      { weight: 10, arbitrary: varied },
      { weight: 2, arbitrary: fromSchema(content.schema as Schema, ids) },
      { weight: 2, arbitrary: example },
    )
    .map(written);
}

/** The parameters of the query: each now and then as its schema allows, and hardly ever something else. */
function queries({ parameters = [] }: Operation, ids: readonly string[]): fc.Arbitrary<string> {
  const own = parameters
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, schema = {} }) => {
      const value = fc.oneof(
        { weight: 9, arbitrary: fromSchema(schema, ids) },
        { weight: 1, arbitrary: fc.constantFrom<Json>(...TEXTS) },
      );
      const pairs = value.map((one) => [one].flat().map((each): [string, string] => [name, String(each)]));
      return fc.option(pairs, { nil: [], freq: 1 }).chain((all) =>
        // Several at once are seldom valid together.
        fc.boolean().map((kept) => (kept ? all : [])),
      );
    });
  const undocumented = fc.oneof(
    { weight: 30, arbitrary: fc.constant('') },
    { weight: 1, arbitrary: fc.constantFrom('x=1', '%ff=1', 'limit=%zz', 'limit=1&limit=2', '&&', '=') },
  );
  return fc.tuple(fc.tuple(...own), undocumented).map(([pairs, more]) => {
    const text = new URLSearchParams(pairs.flat()).toString();
    return [text, more].filter((part) => part !== '').join('&');
  });
}

const rarely = <T>(value: fc.Arbitrary<T>, otherwise: T) =>
  fc.oneof({ weight: 12, arbitrary: fc.constant(otherwise) }, { weight: 1, arbitrary: value });

const headers = fc
  .record({
    'idempotency-key': rarely(fc.constantFrom('one', 'two', '', 'ñ', 'x'.repeat(256)), null),
    'if-none-match': rarely(fc.constantFrom('*', 'W/"x"', '"', ''), null),
    'accept-encoding': rarely(fc.constantFrom('br', 'gzip', 'identity;q=0', 'x'), null),
    'x-request-id': rarely(fc.constantFrom('mine', '', 'x'.repeat(200), '{}'), null),
    'content-type': rarely(fc.constantFrom('text/plain', 'application/json; charset=latin1', 'x'), null),
    authorization: rarely(fc.constantFrom('Bearer sk_test_x', 'Basic eDp4', 'Bearer', ''), null),
  })
  .map(
    (all) =>
      Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null)) as Record<string, string>,
  );

/** Where the operation is asked, as path and query: of something that is there, and now and then of something that is not. */
function targets(name: string, operation: Operation, there: ExistingObjects): fc.Arbitrary<string> {
  const [method, template = ''] = name.split(' ');
  const all = Object.values(there.ids).flat();
  const { ids } = there;
  // What is deleted is not there for the others any more.
  const own = ids[template.split('/')[2] ?? ''] ?? [];
  const usual: Texts = { id: method === 'DELETE' ? own.slice(-1) : own.slice(0, -1) };
  const path = [...template.matchAll(/\{(\w+)\}/g)].reduce(
    (made, [place, parameter = '']) =>
      fc
        .tuple(made, pathParameter(operation, parameter, usual[parameter] ?? [], all))
        .map(([text, value]) => text.replace(place, value)),
    fc.constant(template),
  );
  const any = fc
    .tuple(path, queries(operation, all))
    .map(([at, query]) => (query === '' ? at : `${at}?${query}`));
  const whole = there.targets[name];
  return whole === undefined ? any : rarelyOther(fc.constantFrom(...whole), any);
}

function pathParameter(
  { parameters = [] }: Operation,
  name: string,
  there: readonly string[],
  all: readonly string[],
): fc.Arbitrary<string> {
  const unusual = fc.constantFrom(...all, 'x', '%00', '%2F', 'é', 'inv_', 'X'.repeat(300));
  const schema = parameters.find((parameter) => parameter.in === 'path' && parameter.name === name)?.schema;
  const listed = resolved(schema ?? {})['enum'] as readonly string[] | undefined;
  const usual = listed ?? there;
  const value = usual.length === 0 ? unusual : rarelyOther(fc.constantFrom(...usual), unusual);
  return value.map((one) => (one.startsWith('%') ? one : encodeURIComponent(one)));
}

const rarelyOther = (usual: fc.Arbitrary<string>, other: fc.Arbitrary<string>) =>
  fc.oneof({ weight: 8, arbitrary: usual }, { weight: 1, arbitrary: other });

/** How often an operation is asked, by its kind: most is to be found where invoices are issued. */
function weightOf(name: string): number {
  if (name === 'POST /v1/invoices') return 30;
  if (name === 'POST /v1/invoices/validate' || name === 'GET /v1/invoices') return 15;
  return name.startsWith('DELETE') ? 1 : 4;
}

/** Of the clock of an environment only the one is asked that has it. */
function environmentFor(name: string): fc.Arbitrary<Environment> {
  if (name.endsWith('/v1/test_clock')) return rarely(fc.constantFrom<Environment>('live'), 'clocked');
  return fc.constantFrom('test', 'test', 'test', 'test', 'live', 'clocked');
}

/** Requests to every operation of the document. */
export function schemaRequest(there: ExistingObjects): fc.Arbitrary<SchemaRequest> {
  const all = Object.values(there.ids).flat();
  return fc.oneof(
    ...[...operations].map(([name, operation]) => ({
      weight: weightOf(name),
      arbitrary: fc.record<SchemaRequest>({
        operation: fc.constant(name),
        url: targets(name, operation, there),
        environment: environmentFor(name),
        headers,
        body: bodies(operation, all, there.day),
      }),
    })),
  );
}
