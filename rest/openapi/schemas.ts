import { z } from 'zod';
import { snakeCase, snakeText } from '../../src/ground/lib/case.ts';
import { CONTRACT } from '../contract/all.ts';
import { eventsByType } from '../event-schemas.ts';
import * as answers from '../response-schemas.ts';
import { ENUMERATIONS, enumerationOf } from './enumerations.ts';
import { FIELDS } from './fields.ts';
import type { Json } from './parts.ts';

/** A request schema as JSON Schema with the field names of REST. */
function inSnakeCase(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(inSnakeCase);
  if (node === null || typeof node !== 'object') return node;
  const result: Json = {};
  for (const [key, value] of Object.entries(node)) {
    if (key === 'properties') {
      const properties = Object.entries(value as Json);
      result[key] = Object.fromEntries(
        properties.map(([name, schema]) => [snakeCase(name), inSnakeCase(schema)]),
      );
    } else if (key === 'required') result[key] = (value as string[]).map(snakeCase);
    else if (key === 'description') result[key] = snakeText(value as string);
    else result[key] = inSnakeCase(value);
  }
  return result;
}

/** The schemas, with all schemas that they refer to, as components. */
function components(schemas: readonly z.ZodType[], io: 'input' | 'output'): Json {
  const { schemas: all } = z.toJSONSchema(z.globalRegistry, { io, uri: place, unrepresentable: 'any' });
  const selected: Json = {};
  const add = (id: string): void => {
    if (id in selected) return;
    const own = without(all[id] as Json, '$schema', '$id', 'id');
    selected[id] = io === 'input' ? own : open(own);
    for (const [, other = ''] of JSON.stringify(all[id]).matchAll(REFERENCE)) add(other);
  };
  for (const schema of schemas) {
    const id = z.globalRegistry.get(schema)?.id;
    if (id !== undefined) add(id);
  }
  return selected;
}

/** An answer that may get further fields: clients that validate it must not fail then (docs/contract.md#versioning). */
function open(schema: Json): Json {
  const isClosed = (name: string, value: unknown) => name === 'additionalProperties' && value === false;
  return JSON.parse(JSON.stringify(schema, (name, value) => (isClosed(name, value) ? undefined : value)));
}

export const place = (id: string): string => `#/components/schemas/${id}`;
const REFERENCE = /"\$ref":"#\/components\/schemas\/(\w+)"/g;

function without(object: Json, ...names: string[]): Json {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}

const REQUESTS = CONTRACT.flatMap(({ body }) => body?.schema ?? []);

/** The schemas of requests and answers as components of the document, every field with its description. */
export function schemaComponents(): Json {
  const requests = demanded(named(inSnakeCase(components([...REQUESTS], 'input')), 'sent') as Json);
  const schemas = [
    ...Object.values(answers),
    ...CONTRACT.flatMap(({ answer }) => answer.schema ?? []),
    ...eventsByType.values(),
  ];
  // The invoice of a draft is returned as it was sent.
  const drafted = { DraftInvoice: requests['InvoiceDraftContent'] };
  const answered = { ...(named(components(schemas, 'output'), 'answered') as Json), ...drafted };
  const all = Object.entries({ ...requests, ...answered });
  const whole = [
    ...all.map(([id, schema]) => [id, described(schema as Json, id)] as const),
    ...Object.entries(enumerationComponents()),
  ];
  // In an order that does not depend on which modules were loaded first.
  return Object.fromEntries(whole.sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** The rules that span fields: the taxes of each line, one of two ways to replay, and complete invoices. */
function demanded(requests: Json): Json {
  const {
    LineItemInput: line,
    WebhookReplayRequest: replay,
    InvoiceBatchRequest: batch,
  } = requests as Record<string, Json>;
  const { invoices } = batch!['properties'] as Record<string, Json>;
  const { items: own } = invoices as { items: Json };
  const inBatch = {
    allOf: [{ $ref: place('InvoiceRequest') }, own],
  };
  const { tax_items: taxItems, ...properties } = line!['properties'] as Record<string, Json>;
  const [list] = taxItems!['anyOf'] as Json[];
  return {
    ...requests,
    LineItemInput: {
      ...line,
      properties: {
        ...properties,
        tax_items: { ...list, minItems: 1, description: taxItems!['description'] },
      },
      required: [...(line!['required'] as string[]), 'tax_items'],
    },
    WebhookReplayRequest: { ...replay, minProperties: 1, maxProperties: 1 },
    InvoiceBatchRequest: { ...batch, properties: { invoices: { ...invoices, items: inBatch } } },
  };
}

/** Requests accept only the listed values; answers may contain values that are added later. */
type Use = 'sent' | 'answered';

/** The reference to an enumeration's schema. */
function enumeration(name: string, use: Use): Json {
  return { $ref: place(use === 'sent' && ENUMERATIONS[name]!.isOpen ? `${name}Input` : name) };
}

/** A schema in which each list of values is replaced by a reference to its enumeration. */
export function named(node: unknown, use: Use): unknown {
  if (Array.isArray(node)) return node.map((item) => named(item, use));
  if (node === null || typeof node !== 'object') return node;
  const { enum: values, ...rest } = withoutDatePattern(node as Json);
  if (!Array.isArray(values)) {
    return Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, named(value, use)]));
  }
  const name = enumerationOf(values);
  if (name === undefined) throw new Error(`an enumeration without a name: ${values.join(', ')}`);
  const { type: _type, ...others } = rest;
  return { ...enumeration(name, use), ...others };
}

/** The format implies it already, and is shorter. */
function withoutDatePattern(schema: Json): Json {
  const { pattern, ...rest } = schema;
  return /^date/.test(String(schema['format'])) || pattern === undefined ? rest : schema;
}

/** Each list of values once. An open enumeration is any string, with the known values listed. */
function enumerationComponents(): Json {
  return Object.fromEntries(
    Object.entries(ENUMERATIONS).flatMap(([name, { values, description, isOpen, isSent }]) => {
      const list = { type: 'string', enum: [...values] };
      if (!isOpen) return [[name, { ...list, description }]];
      const known = isSent ? { $ref: place(`${name}Input`) } : list;
      const later = { type: 'string', description: 'A value that was added later.' };
      const openList = {
        anyOf: [known, later],
        description: `${description} Extensible: tolerate values not listed.`,
      };
      return [[name, openList], ...(isSent ? [[`${name}Input`, { ...list, description }]] : [])];
    }),
  );
}

/** A schema whose fields, and those of nested objects, have their descriptions after the other keywords. */
function described(schema: Json, path: string): Json {
  type Parts = { properties?: Json; items?: Json; anyOf?: Json[]; allOf?: Json[] };
  const { properties, items, anyOf, allOf } = schema as Parts;
  const result: Json = { ...schema };
  if (items !== undefined) result['items'] = described(items, path);
  if (allOf !== undefined) result['allOf'] = allOf.map((part) => described(part, path));
  if (anyOf !== undefined) {
    const several = anyOf.filter((choice) => 'properties' in choice).length > 1;
    result['anyOf'] = anyOf.map((choice, index) => described(choice, several ? `${path}.${index}` : path));
  }
  if (properties !== undefined) {
    const fields = Object.entries(properties).map(([name, field]) => {
      const { description, ...inner } = described(field as Json, `${path}.${name}`);
      const sentences = [FIELDS[path]?.[name], description].filter((text) => text !== undefined);
      return [name, sentences.length === 0 ? inner : { ...inner, description: sentences.join(' ') }];
    });
    result['properties'] = Object.fromEntries(fields);
  }
  return result;
}
