import { type DocumentNode, Kind, parse } from 'graphql';

/** What a caller without a key may ask: nothing that is anybody's. A signed link is its own authority. */
const KNOWN = new Set(['__typename', 'invoiceFile']);
const SCHEMA = new Set(['__schema', '__type']);

/** The names of the root fields of every operation; empty for a fragment. */
function rootFields(document: DocumentNode): string[] {
  return document.definitions.flatMap((definition) =>
    definition.kind === Kind.OPERATION_DEFINITION
      ? definition.selectionSet.selections.map((node) => (node.kind === Kind.FIELD ? node.name.value : ''))
      : [],
  );
}

/**
 * Whether a document requests only what needs no key. `too much`: it requests several files at once, each of which may
 * be megabytes that nobody is charged with.
 */
export function publicAccess(
  document: DocumentNode,
  schemaIsOpen: boolean,
): 'yes' | 'needs a key' | 'too much' {
  const fields = rootFields(document);
  const known = fields.every((name) => KNOWN.has(name) || (schemaIsOpen && SCHEMA.has(name)));
  if (!known) return 'needs a key';
  return fields.filter((name) => name === 'invoiceFile').length > 1 ? 'too much' : 'yes';
}

/** Whether a query requests more than is public, judged by its root fields, or cannot be parsed. */
export function needsKey(text: string, schemaIsOpen: boolean): boolean {
  try {
    return publicAccess(parse(text, { noLocation: true }), schemaIsOpen) === 'needs a key';
  } catch {
    return true;
  }
}
