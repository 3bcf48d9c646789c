/** What a change of the OpenAPI document takes from callers who were written against it as it was before. */

type Json = { readonly [name: string]: unknown };
export type Document = Json;

/** Whether a schema describes what callers send, or what they are sent. */
type Direction = 'sent' | 'answered';

/** What is said of one place of a body or of a parameter. */
type Fact = {
  readonly types: readonly string[];
  readonly required: boolean;
  /** Null where any value of the type will do. */
  readonly values: readonly string[] | null;
  readonly bounds: Readonly<Record<string, unknown>>;
};

const record = (value: unknown): Readonly<Record<string, Json>> => (value ?? {}) as Record<string, Json>;

function resolved(document: Document, part: Json): Json {
  const reference = part['$ref'];
  if (typeof reference !== 'string') return part;
  const steps = reference.slice(2).split('/');
  return resolved(document, steps.reduce<unknown>((node, step) => (node as Json)[step], document) as Json);
}

const BOUNDS = ['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems', 'pattern', 'format'];

/** The types that a schema allows, of all its choices. */
function choices(document: Document, given: Json): Json[] {
  const schema = resolved(document, given);
  const several = schema['anyOf'] as Json[] | undefined;
  return several === undefined ? [schema] : several.flatMap((choice) => choices(document, choice));
}

/** Each place of a schema with what is said of it, by its path. */
function factsOf(
  document: Document,
  schema: Json,
  path: string,
  required: boolean,
  found: Map<string, Fact>,
): void {
  const all = choices(document, schema);
  const lists = all.map(
    (one) => (one['enum'] ?? ('const' in one ? [one['const']] : null)) as unknown[] | null,
  );
  const free = all.some((one, index) => lists[index] === null && one['type'] === 'string');
  const values = lists.flatMap((list) => list ?? []).map(String);
  const merged = Object.assign({}, ...all) as Json;
  found.set(path, {
    types: [...new Set(all.map((one) => String(one['type'] ?? 'any')))].sort(),
    required,
    values: free || values.length === 0 ? null : values.sort(),
    bounds: Object.fromEntries(BOUNDS.flatMap((name) => (name in merged ? [[name, merged[name]]] : []))),
  });
  for (const one of all) {
    const needed = (one['required'] ?? []) as string[];
    for (const [name, field] of Object.entries(record(one['properties']))) {
      factsOf(document, field, `${path}.${name}`, needed.includes(name), found);
    }
    if (one['items'] !== undefined) factsOf(document, one['items'] as Json, `${path}[]`, true, found);
  }
}

/** What a caller who sends, or reads, by the facts before meets after: each as a sentence. */
function changesOf(before: Fact, after: Fact, direction: Direction): string[] {
  const sent = direction === 'sent';
  const less = sent
    ? before.types.filter((type) => !after.types.includes(type))
    : after.types.filter((type) => !before.types.includes(type));
  const changes =
    less.length > 0 ? [`its type is ${after.types.join(' or ')}, not ${before.types.join(' or ')}`] : [];
  if (sent && after.required && !before.required) changes.push('is required now');
  if (!sent && before.required && !after.required) changes.push('may be missing now');
  const [narrow, wide] = sent ? [after.values, before.values] : [before.values, after.values];
  if (narrow !== null) {
    if (wide === null) changes.push(`is one of ${narrow.join(', ')} ${sent ? 'now' : 'no more'}`);
    else
      for (const value of wide)
        if (!narrow.includes(value))
          changes.push(`${sent ? 'takes' : 'may be'} ${value} ${sent ? 'no more' : 'now'}`);
  }
  if (sent) changes.push(...tightened(before.bounds, after.bounds));
  return changes;
}

function tightened(before: Fact['bounds'], after: Fact['bounds']): string[] {
  return BOUNDS.filter((name) => {
    const [was, is] = [before[name], after[name]];
    if (is === undefined || is === was) return false;
    if (was === undefined || typeof is === 'string') return true;
    return name.startsWith('min') ? Number(is) > Number(was) : Number(is) < Number(was);
  }).map((name) => `has another ${name}: ${String(after[name])}`);
}

/** The facts of everything that an operation is sent or answers, by place. */
function placesOf(document: Document, operation: Json): Map<string, { fact: Fact; direction: Direction }> {
  const places = new Map<string, { fact: Fact; direction: Direction }>();
  const add = (schema: Json | undefined, path: string, required: boolean, direction: Direction): void => {
    if (schema === undefined) return;
    const found = new Map<string, Fact>();
    factsOf(document, schema, path, required, found);
    for (const [place, fact] of found) places.set(place, { fact, direction });
  };
  for (const part of (operation['parameters'] ?? []) as Json[]) {
    const { name, in: where, required, schema } = resolved(document, part) as Json & { schema: Json };
    add(schema, `${String(where)} ${String(name)}`, required === true, 'sent');
  }
  const bodies = (part: Json | undefined) => Object.entries(record(part?.['content']));
  const body = operation['requestBody'] as Json | undefined;
  for (const [type, { schema }] of bodies(body)) add(schema as Json, `body (${type})`, true, 'sent');
  for (const [status, response] of Object.entries(record(operation['responses']))) {
    if (Number(status) >= 300) continue;
    for (const [type, { schema }] of bodies(resolved(document, response))) {
      add(schema as Json, `${status} (${type})`, true, 'answered');
    }
  }
  return places;
}

function operationsOf(document: Document): Map<string, Json> {
  const entries = (['paths', 'webhooks'] as const).flatMap((part) =>
    Object.entries(record(document[part])).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => {
        const name = part === 'webhooks' ? `webhook ${path}` : `${method.toUpperCase()} ${path}`;
        return [name, operation as Json] as const;
      }),
    ),
  );
  return new Map(entries);
}

/** Payloads of webhooks are what callers are sent. */
function turned(name: string, direction: Direction): Direction {
  return name.startsWith('webhook') ? 'answered' : direction;
}

/** What the document after takes from callers of the one before: one sentence each, beginning with the operation. */
export function breakingChanges(before: Document, after: Document): string[] {
  const now = operationsOf(after);
  return [...operationsOf(before)].flatMap(([name, was]) => {
    const is = now.get(name);
    if (is === undefined) return [`${name}: is gone`];
    const changes =
      was['operationId'] === is['operationId'] ? [] : [`is called ${String(is['operationId'])}`];
    const [old, own] = [placesOf(before, was), placesOf(after, is)];
    for (const [place, { fact, direction }] of old) {
      const found = own.get(place);
      if (found === undefined) changes.push(`${place} is gone`);
      else
        changes.push(...changesOf(fact, found.fact, turned(name, direction)).map((why) => `${place} ${why}`));
    }
    for (const [place, { fact, direction }] of own) {
      const parent = place.replace(/(\[\]|\.[^.]+)$/, '');
      const isNew = !old.has(place) && (parent === place || old.has(parent));
      if (isNew && turned(name, direction) === 'sent' && fact.required && !place.endsWith('[]'))
        changes.push(`${place} is required now`);
    }
    return changes.map((change) => `${name}: ${change}`);
  });
}
