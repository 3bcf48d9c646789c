import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isCompositeType,
  isLeafType,
  isListType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  typeFromAST,
  type ValueNode,
  valueFromASTUntyped,
} from 'graphql';
import {
  type ConcreteRequest,
  commitMutation,
  createOperationDescriptor,
  Environment,
  Network,
  RecordSource,
  Store,
} from 'relay-runtime';
import { type Data, type NormalizedCache, parsed, type Question } from './normalized-cache.ts';

/** Relay’s store and environment as they come. */
export class RelayCache implements NormalizedCache {
  readonly warnings: string[] = [];
  readonly #schema: GraphQLSchema;
  readonly #environment: Environment;
  #answer: Data = {};

  constructor(schema: GraphQLSchema) {
    this.#schema = schema;
    this.#environment = new Environment({
      network: Network.create(async () => ({ data: this.#answer as Record<string, never> })),
      store: new Store(new RecordSource()),
    });
  }

  #operation({ document, variables }: Question) {
    return createOperationDescriptor(compiled(this.#schema, parsed(document)), variables);
  }

  async hold(question: Question, answer: Data): Promise<void> {
    const operation = this.#operation(question);
    this.#environment.retain(operation);
    this.#environment.commitPayload(operation, answer);
  }

  async change({ document, variables }: Question, answer: Data): Promise<void> {
    this.#answer = answer;
    const mutation = compiled(this.#schema, parsed(document));
    await new Promise<void>((resolve, reject) => {
      commitMutation(this.#environment, {
        ...{ mutation, variables },
        onCompleted: () => resolve(),
        onError: reject,
      });
    });
  }

  async read(question: Question): Promise<Data> {
    const { data, isMissingData } = this.#environment.lookup(this.#operation(question).fragment);
    if (isMissingData) this.warnings.push('values are missing');
    return (data ?? {}) as Data;
  }
}

const requests = new WeakMap<DocumentNode, ConcreteRequest>();

/** What relay-compiler makes of a document, once. */
function compiled(schema: GraphQLSchema, document: DocumentNode): ConcreteRequest {
  const request = requests.get(document) ?? requestOf(schema, document);
  requests.set(document, request);
  return request;
}

/** Its fragments are not masked here. */
function requestOf(schema: GraphQLSchema, document: DocumentNode): ConcreteRequest {
  const operation = document.definitions.find(
    (node): node is OperationDefinitionNode => node.kind === Kind.OPERATION_DEFINITION,
  )!;
  const fragments = document.definitions.filter(
    (node): node is FragmentDefinitionNode => node.kind === Kind.FRAGMENT_DEFINITION,
  );
  const isQuery = operation.operation === 'query';
  const root = isQuery ? schema.getQueryType()! : schema.getMutationType()!;
  const name = 'Asked';
  const argumentDefinitions = (operation.variableDefinitions ?? []).map(({ variable }) => ({
    ...{ kind: 'LocalArgument' as const, name: variable.name.value, defaultValue: null },
  }));
  const selections = selectionsOf({ schema, fragments }, operation.selectionSet, root);
  return {
    kind: 'Request',
    fragment: {
      ...{ kind: 'Fragment', name, type: root.name, metadata: null },
      ...{ abstractKey: null, argumentDefinitions, selections },
    },
    operation: { kind: 'Operation', name, argumentDefinitions, selections },
    params: {
      ...{ cacheID: name, id: null, metadata: {}, name, text: 'asked elsewhere' },
      operationKind: isQuery ? 'query' : 'mutation',
    },
  } as ConcreteRequest;
}

type Source = { readonly schema: GraphQLSchema; readonly fragments: readonly FragmentDefinitionNode[] };

function selectionsOf(
  source: Source,
  { selections }: SelectionSetNode,
  parent: GraphQLCompositeType,
): object[] {
  return selections.map((selection) => {
    if (selection.kind === Kind.FIELD) return fieldOf(source, selection, parent);
    const fragment =
      selection.kind === Kind.INLINE_FRAGMENT
        ? selection
        : source.fragments.find(({ name }) => name.value === selection.name.value)!;
    const condition = fragment.typeCondition;
    const type = condition === undefined ? parent : typeFromAST(source.schema, condition);
    if (!isCompositeType(type)) throw new Error('a fragment of no object');
    return {
      ...{ kind: 'InlineFragment', type: type.name, abstractKey: null },
      selections: selectionsOf(source, fragment.selectionSet, type),
    };
  });
}

function fieldOf(source: Source, field: FieldNode, parent: GraphQLCompositeType): object {
  const name = field.name.value;
  const args = (field.arguments ?? []).map((one) => argumentOf(one.name.value, one.value));
  const shared = {
    ...{ alias: field.alias?.value ?? null, name, storageKey: null },
    args: args.length === 0 ? null : args,
  };
  if (name === '__typename') return { kind: 'ScalarField', ...shared };
  if (!('getFields' in parent)) throw new Error(`${parent.name} has no fields`);
  const { type } = parent.getFields()[name]!;
  const own = getNamedType(type);
  if (isLeafType(own)) return { kind: 'ScalarField', ...shared };
  if (!isCompositeType(own)) throw new Error(`${name} is no object`);
  return {
    ...{ kind: 'LinkedField', ...shared, plural: isListType(getNullableType(type)) },
    concreteType: isObjectType(own) ? own.name : null,
    selections: selectionsOf(source, field.selectionSet!, own),
  };
}

function argumentOf(name: string, value: ValueNode): object {
  if (value.kind === Kind.VARIABLE) return { kind: 'Variable', name, variableName: value.name.value };
  if (value.kind === Kind.OBJECT)
    return {
      ...{ kind: 'ObjectValue', name },
      fields: value.fields.map((field) => argumentOf(field.name.value, field.value)),
    };
  if (value.kind === Kind.LIST)
    return {
      ...{ kind: 'ListValue', name },
      items: value.values.map((item, index) => argumentOf(`${name}.${index}`, item)),
    };
  return { kind: 'Literal', name, value: valueFromASTUntyped(value) };
}
