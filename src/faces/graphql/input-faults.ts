import {
  type ASTNode,
  type DocumentNode,
  GraphQLError,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isScalarType,
  Kind,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { ofRecipients } from '../../ground/errors/hints.ts';
import type { FieldIssue } from '../../ground/errors/refusal.ts';
import { truncateText } from '../../ground/lib/text.ts';

/**
 * What GraphQL's own coercion refuses, in the words of other invalid requests: the field by its path from the arguments on, and
 * what it must be. The value is not repeated, because a secret may be part of it.
 */

/** From the arguments on: names of fields, and positions in lists. */
export type InputPath = readonly (string | number)[];

/** A name that was made up may be as long as the body. */
const LONGEST_FIELD = 200;

/** The error with its issue, which `refusalOf` gives to the caller. */
export function inputFault(nodes: ASTNode, path: InputPath, fault: Omit<FieldIssue, 'field'>): GraphQLError {
  const field = truncateText(pathText(path), LONGEST_FIELD);
  const message = `${fault.message}${ofRecipients(String(path.at(-1)), fault.code)}`;
  const issue: FieldIssue = { field, code: fault.code, message };
  return new GraphQLError(`${field}: ${message}`, { nodes, extensions: { issue } });
}

/** The issue of an error of `inputFault`; none for any other. */
export function issueOfFault({ extensions }: GraphQLError): readonly FieldIssue[] {
  const { issue } = extensions as { issue?: FieldIssue };
  return issue === undefined ? [] : [issue];
}

export function isInputFault(error: unknown): boolean {
  return error instanceof GraphQLError && issueOfFault(error).length > 0;
}

function pathText(path: InputPath): string {
  const [first, ...steps] = path;
  return steps.reduce<string>(
    (text, step) => (typeof step === 'number' ? `${text}[${step}]` : `${text}.${step}`),
    String(first),
  );
}

export const REQUIRED = { code: 'required', message: 'is required' };
export const UNKNOWN = { code: 'unrecognized_field', message: 'no such field' };

const BUILT_IN: Readonly<Record<string, string>> = {
  Int: 'must be an integer, at most 2^31 - 1 in either direction',
  Float: 'must be a number',
  String: 'must be a string',
  Boolean: 'must be a boolean',
  ID: 'must be a string',
};

/** What a value of the type must be. */
export function mismatch(type: GraphQLInputType): Omit<FieldIssue, 'field'> {
  const named = getNamedType(type);
  if (isEnumType(named)) {
    const names = named.getValues().map(({ name }) => name);
    return { code: 'invalid_value', message: `must be one of ${names.join(', ')}` };
  }
  if (isInputObjectType(named)) return { code: 'invalid_type', message: 'must be an object' };
  const message = BUILT_IN[named.name] ?? (isScalarType(named) ? named.extensions['mustBe'] : undefined);
  return { code: 'invalid_type', message: typeof message === 'string' ? message : 'is not valid' };
}

/** The field that coercion names in its message about an object: one that is missing, or that its type does not have. */
export function namedField(message: string): { readonly name: string; readonly isMissing: boolean } | null {
  const [, missing] = /^Field "(?:\w+\.)?(\w+)" of required type/.exec(message) ?? [];
  if (missing !== undefined) return { name: missing, isMissing: true };
  const [, unknown] = /^Field "(.*)" is not defined by type "/s.exec(message) ?? [];
  return unknown === undefined ? null : { name: unknown, isMissing: false };
}

/** Where an argument, or a value in one, stands: from the argument on, `@include.if` in a directive, `$id` as a default. */
export function placeOfInput(root: ASTNode, keys: readonly (string | number)[]): InputPath {
  let place: (string | number)[] = [];
  let at: unknown = root;
  for (const [index, key] of keys.entries()) {
    at = (at as Readonly<Record<string | number, unknown>>)[key];
    const node = at as ASTNode | readonly ASTNode[];
    if (!('kind' in node)) continue;
    if (node.kind === Kind.VARIABLE_DEFINITION) place = [`$${node.variable.name.value}`];
    else if (node.kind === Kind.DIRECTIVE) place = [`@${node.name.value}`];
    else if (node.kind === Kind.ARGUMENT || node.kind === Kind.OBJECT_FIELD) place.push(node.name.value);
    if (typeof key === 'number' && keys[index - 1] === 'values') place.push(key);
  }
  return place;
}

const LITERALS = new Set<string>([
  ...[Kind.INT, Kind.FLOAT, Kind.STRING, Kind.BOOLEAN, Kind.ENUM, Kind.NULL],
  ...[Kind.LIST, Kind.OBJECT, Kind.OBJECT_FIELD],
]);

/** The argument that validation misses at a field. */
const missingArgument = (message: string) => /^Field ".*" argument "(\w+)" of type/.exec(message)?.[1];

/** The errors of validating a document, those about literals and missing arguments as faults of their fields. */
export function literalFaults(
  schema: GraphQLSchema,
  document: DocumentNode,
  errors: readonly GraphQLError[],
): readonly GraphQLError[] {
  const faulty = new Map<ASTNode, GraphQLError[]>();
  for (const error of errors) {
    const [node] = error.nodes ?? [];
    if (node === undefined || !(LITERALS.has(node.kind) || missingArgument(error.message))) continue;
    faulty.set(node, [...(faulty.get(node) ?? []), error]);
  }
  if (faulty.size === 0) return errors;
  const explained = new Map<GraphQLError, GraphQLError>();
  const types = new TypeInfo(schema);
  const visitor = {
    enter(node: ASTNode, _key: unknown, _parent: unknown, keys: readonly (string | number)[]) {
      for (const error of faulty.get(node) ?? []) {
        explained.set(error, literalFault(node, placeOfInput(document, keys), types, error));
      }
    },
  };
  visit(document, visitWithTypeInfo(types, visitor));
  return errors.map((error) => explained.get(error) ?? error);
}

function literalFault(node: ASTNode, place: InputPath, types: TypeInfo, error: GraphQLError): GraphQLError {
  const argument = missingArgument(error.message);
  if (argument !== undefined) return inputFault(node, [argument], REQUIRED);
  const type = types.getInputType();
  if (node.kind === Kind.OBJECT_FIELD) return inputFault(node, place, UNKNOWN);
  const missing = node.kind === Kind.OBJECT ? namedField(error.message) : null;
  if (missing !== null) return inputFault(node, [...place, missing.name], REQUIRED);
  if (node.kind === Kind.NULL || !type) return inputFault(node, place, REQUIRED);
  return inputFault(node, place, mismatch(type));
}
