import {
  type ArgumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getArgumentValues,
  getNullableType,
  isAbstractType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  locatedError,
  type OperationDefinitionNode,
  type ResponsePath,
  type SelectionSetNode,
  visit,
} from 'graphql';
import type { Context } from './context.ts';
import {
  type Branch,
  compileObjectPlan,
  isPromise,
  type Leaf,
  type ObjectPlan,
  type Run,
} from './plan-object.ts';

/** Converts a resolved value to the value of the response, or a promise of it; throws if a non-null field is null. */
type Complete = (run: Run, value: unknown, path: ResponsePath, info: InfoOf) => unknown;
type InfoOf = (run: Run, path: ResponsePath) => GraphQLResolveInfo;

type Document = {
  readonly schema: GraphQLSchema;
  readonly fragments: { readonly [name: string]: FragmentDefinitionNode };
  readonly operation: OperationDefinitionNode;
};

/** The fields of an object, collected when the first object is met: large selections may never be needed. */
export function objectPlan(
  document: Document,
  type: GraphQLObjectType,
  selections: readonly SelectionSetNode[],
): ObjectPlan {
  let plan: ObjectPlan | null = null;
  const written = () => {
    const fields = [...collected(document, type, selections)];
    return compileObjectPlan(
      fields.map(([key, nodes]) => ({ key, plan: fieldPlan(document, type, key, nodes) })),
    );
  };
  return (run, source, path) => {
    plan ??= written();
    return plan(run, source, path);
  };
}

/** The fields of selections of one type, by the names under which they are answered (section 6.3.2). */
function collected(
  document: Document,
  type: GraphQLObjectType,
  selections: readonly SelectionSetNode[],
  into = new Map<string, FieldNode[]>(),
): Map<string, FieldNode[]> {
  for (const node of selections.flatMap((set) => set.selections)) {
    if (node.kind !== Kind.FIELD) {
      const fragment = node.kind === Kind.INLINE_FRAGMENT ? node : document.fragments[node.name.value]!;
      if (isMeant(document.schema, fragment.typeCondition?.name.value, type))
        collected(document, type, [fragment.selectionSet], into);
      continue;
    }
    const key = node.alias?.value ?? node.name.value;
    const before = into.get(key);
    if (before === undefined) into.set(key, [node]);
    else before.push(node);
  }
  return into;
}

function isMeant(schema: GraphQLSchema, condition: string | undefined, type: GraphQLObjectType): boolean {
  if (condition === undefined || condition === type.name) return true;
  const named = schema.getType(condition);
  return isAbstractType(named) && schema.isSubType(named, type);
}

function fieldPlan(
  document: Document,
  parentType: GraphQLObjectType,
  key: string,
  nodes: readonly FieldNode[],
): Leaf | Branch {
  const [node] = nodes as [FieldNode, ...FieldNode[]];
  const field = parentType.getFields()[node.name.value]!;
  const resolve = resolverOf(field);
  const argumentsOf = argumentsPlan(field, node);
  const info = infoPlan(document, parentType, field, nodes);
  const complete = completion(document, field.type, { parentType, field, nodes });
  // One that is declared with fewer parameters cannot see it; most of them show one property of a row.
  const needsInfo = resolve.length === 0 || resolve.length > 3;
  const pathUnder = (parent: ResponsePath | undefined): ResponsePath => ({
    prev: parent,
    key,
    typename: parentType.name,
  });
  const failed = (run: Run, error: unknown, path: ResponsePath) => fault(run, error, path, nodes, field.type);
  const late = (run: Run, found: Promise<unknown>, path: ResponsePath) =>
    found
      .then((value) => complete(run, value, path, info))
      .then(undefined, (error: unknown) => failed(run, error, path));
  const type = getNullableType(field.type);
  if (isLeafType(type) && !needsInfo) {
    // Below it there is nothing: only an error contains its position.
    return {
      ...{ type, isRequired: isNonNullType(field.type), resolve, argumentsOf },
      complete: (run, found, parent) =>
        isPromise(found) ? late(run, found, pathUnder(parent)) : complete(run, found, NO_PATH, info),
      failed: (run, error, parent) => failed(run, error, pathUnder(parent)),
    };
  }
  const value: Branch['value'] = (run, source, parent) => {
    const path = pathUnder(parent);
    try {
      const found = resolve(source, argumentsOf(run), run.context, needsInfo ? info(run, path) : undefined);
      if (isPromise(found)) return late(run, found, path);
      const done = complete(run, found, path, info);
      return isPromise(done) ? done.then(undefined, (error: unknown) => failed(run, error, path)) : done;
    } catch (error) {
      return failed(run, error, path);
    }
  };
  return { value };
}

/** Of leaves: they have nothing below them. */
const NO_PATH: ResponsePath = { prev: undefined, key: '', typename: undefined };

/** Without `info` where it is declared with fewer parameters. */
type Resolver = (
  source: unknown,
  args: Readonly<Record<string, unknown>>,
  context: Context,
  info?: GraphQLResolveInfo,
) => unknown;

/** The field's own resolver, else the property of its name. */
function resolverOf({ resolve, name }: GraphQLField<unknown, unknown>): Resolver {
  if (resolve) return resolve as Resolver;
  // Rows hold no functions: the reference implementation would call one with `info`, which takes longer to make than a row.
  return (source) => (source as Readonly<Record<string, unknown>> | null | undefined)?.[name];
}

const NONE: Readonly<Record<string, unknown>> = Object.freeze({});

function argumentsPlan(field: GraphQLField<unknown, unknown>, node: FieldNode) {
  if (field.args.length === 0) return () => NONE;
  if (!(node.arguments ?? []).some(isVariable)) {
    const same = Object.freeze(getArgumentValues(field, node));
    return () => same;
  }
  return ({ variables }: Run) => getArgumentValues(field, node, variables as Record<string, unknown>);
}

/** Whether an argument contains a variable, at any depth. */
function isVariable(argument: ArgumentNode): boolean {
  let found = false;
  visit(argument, {
    Variable: () => {
      found = true;
    },
  });
  return found;
}

function infoPlan(
  { schema, fragments, operation }: Document,
  parentType: GraphQLObjectType,
  field: GraphQLField<unknown, unknown>,
  fieldNodes: readonly FieldNode[],
): InfoOf {
  return ({ variables }, path) => ({
    fieldName: field.name,
    fieldNodes,
    returnType: field.type,
    parentType,
    path,
    schema,
    fragments,
    rootValue: undefined,
    operation,
    variableValues: variables as Record<string, unknown>,
  });
}

type Place = {
  readonly parentType: GraphQLObjectType;
  readonly field: GraphQLField<unknown, unknown>;
  readonly nodes: readonly FieldNode[];
};

function nameOf({ parentType, field }: Place): string {
  return `${parentType.name}.${field.name}`;
}

function completion(document: Document, type: GraphQLOutputType, place: Place): Complete {
  const nullable = getNullableType(type);
  const isRequired = isNonNullType(type);
  const none = () => {
    if (isRequired) throw new Error(`Cannot return null for non-nullable field ${nameOf(place)}.`);
    return null;
  };
  if (isLeafType(nullable)) {
    return (_run, value) => {
      if (value == null) return none();
      if (value instanceof Error) throw value;
      const serialized = nullable.serialize(value);
      if (serialized != null) return serialized;
      throw new Error(`Expected \`${nullable}.serialize(…)\` to return a value for ${nameOf(place)}.`);
    };
  }
  const some = completionOfSome(document, nullable, place);
  return (run, value, path, info) => {
    if (value == null) return none();
    if (value instanceof Error) throw value;
    return some(run, value, path, info);
  };
}

function completionOfSome(document: Document, type: GraphQLOutputType, place: Place): Complete {
  if (isListType(type)) return listCompletion(document, type.ofType, place);
  if (!isObjectType(type)) throw new Error(`${nameOf(place)} has no type that a plan is made for`);
  const sets = place.nodes.flatMap(({ selectionSet }) => (selectionSet === undefined ? [] : [selectionSet]));
  const object = objectPlan(document, type, sets);
  const isTypeOf = type.isTypeOf;
  if (!isTypeOf) return object;
  return (run, value, path, info) => {
    const is = isTypeOf(value, run.context, info(run, path));
    const checked = (yes: boolean) => {
      if (yes) return object(run, value, path);
      throw new GraphQLError(`Expected value of type "${type}" for ${nameOf(place)}.`, {
        nodes: place.nodes,
      });
    };
    return isPromise<boolean>(is) ? is.then(checked) : checked(is as boolean);
  };
}

function listCompletion(document: Document, itemType: GraphQLOutputType, place: Place): Complete {
  const complete = completion(document, itemType, place);
  const one = (run: Run, value: unknown, path: ResponsePath, info: InfoOf): unknown => {
    const failed = (error: unknown) => fault(run, error, path, place.nodes, itemType);
    try {
      const done = isPromise(value)
        ? value.then((late) => complete(run, late, path, info))
        : complete(run, value, path, info);
      return isPromise(done) ? done.then(undefined, failed) : done;
    } catch (error) {
      return failed(error);
    }
  };
  return (run, value, path, info) => {
    if (!isIterable(value)) {
      throw new GraphQLError(`Expected Iterable, but did not find one for field "${nameOf(place)}".`);
    }
    const items: unknown[] = [];
    let waits = false;
    try {
      for (const item of value) {
        const done = one(run, item, { prev: path, key: items.length, typename: undefined }, info);
        waits ||= isPromise(done);
        items.push(done);
      }
    } catch (error) {
      for (const item of items) if (isPromise(item)) item.catch(() => {});
      throw error;
    }
    return waits ? Promise.all(items) : items;
  };
}

/** Notes an error where the answer may be null, and answers null; else it is thrown, to where that is so. */
function fault(
  run: Run,
  error: unknown,
  path: ResponsePath,
  nodes: readonly FieldNode[],
  type: GraphQLOutputType,
): null {
  const located = locatedError(error, nodes, pathOf(path));
  if (isNonNullType(type)) throw located;
  run.errors.push(located);
  return null;
}

function pathOf(path: ResponsePath): (string | number)[] {
  const keys: (string | number)[] = [];
  for (let step: ResponsePath | undefined = path; step; step = step.prev) keys.push(step.key);
  return keys.reverse();
}

function isIterable(value: unknown): value is Iterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value;
}
