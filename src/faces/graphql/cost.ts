import { complexityFromQuery } from '@pothos/plugin-complexity';
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  visit,
} from 'graphql';

/** What an operation costs before anything is read: its points, its fields, and its levels. */
export type Cost = { readonly complexity: number; readonly breadth: number; readonly depth: number };

type Counted = { readonly document: DocumentNode; readonly breadth: number };

const counted = new WeakMap<OperationDefinitionNode, Counted>();

/**
 * The cost of an operation with these variables. `__typename`, which clients add everywhere, and a fragment that a selection names
 * again cost nothing. The fields of a fragment count once, however often it is used; its points count wherever it is read.
 */
export function costOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
): Cost {
  let known = counted.get(operation);
  if (known === undefined) {
    known = countedOf(document, operation);
    counted.set(operation, known);
  }
  const { complexity, depth } = complexityFromQuery(known.document, { schema, variables });
  return { complexity, depth, breadth: known.breadth };
}

function countedOf({ definitions }: DocumentNode, operation: OperationDefinitionNode): Counted {
  const fragments = definitions.filter((one) => one.kind === Kind.FRAGMENT_DEFINITION);
  const document: DocumentNode = { kind: Kind.DOCUMENT, definitions: [operation, ...fragments] };
  const fields = { [Kind.SELECTION_SET]: { leave: withoutRepeats } };
  const plain = visit(document, fields);
  return { document: plain, breadth: fieldsOf(plain) };
}

function withoutRepeats(node: SelectionSetNode): SelectionSetNode {
  const spread = new Set<string>();
  const selections = node.selections.filter((selection) => {
    if (selection.kind === Kind.FIELD) return !isTypename(selection);
    if (selection.kind === Kind.INLINE_FRAGMENT) return true;
    const isNew = !spread.has(selection.name.value);
    spread.add(selection.name.value);
    return isNew;
  });
  return { ...node, selections };
}

const isTypename = ({ name }: FieldNode) => name.value === '__typename';

/** The fields of the operation and of each fragment that it uses. */
function fieldsOf({ definitions }: DocumentNode): number {
  const [operation, ...fragments] = definitions as [OperationDefinitionNode, ...FragmentDefinitionNode[]];
  const byName = new Map(fragments.map((fragment) => [fragment.name.value, fragment]));
  const used = new Set<OperationDefinitionNode | FragmentDefinitionNode>([operation]);
  let fields = 0;
  // A set is gone through to its end, with what is added on the way.
  for (const part of used)
    visit(part, {
      Field() {
        fields += 1;
      },
      FragmentSpread({ name }) {
        const fragment = byName.get(name.value);
        if (fragment !== undefined) used.add(fragment);
      },
    });
  return fields;
}
