import forge from 'node-forge';
import { CERTIFICATE_LIMITS } from './limits.ts';

/** A parsed element of ASN.1. */
export type Node = forge.asn1.Asn1;

const { Class, Type } = forge.asn1;

// The library's type declarations lack the last field.
const OPTIONS = { strict: true, maxDepth: CERTIFICATE_LIMITS.certificateDepth.value } as unknown as boolean;

/** Parses DER, or BER as written by browsers. Null unless the bytes are exactly one element. */
export function parseDer(bytes: Buffer): Node | null {
  try {
    return forge.asn1.fromDer(bytes.toString('latin1'), OPTIONS);
  } catch {
    return null;
  }
}

/** Serializes the element again. */
export function derOf(node: Node): Buffer {
  return Buffer.from(forge.asn1.toDer(node).getBytes(), 'latin1');
}

/** The children of a constructed element; empty for a primitive one or none. */
export function childrenOf(node: Node | undefined): readonly Node[] {
  return node !== undefined && Array.isArray(node.value) ? node.value : [];
}

/** The context-specific element `[tag]` among the children. */
export function tagged(node: Node | undefined, tag: number): Node | undefined {
  return childrenOf(node).find(({ tagClass, type }) => tagClass === Class.CONTEXT_SPECIFIC && type === tag);
}

export function isSequence(node: Node | undefined): node is Node {
  return node?.tagClass === Class.UNIVERSAL && node.type === Type.SEQUENCE;
}

/** An object identifier in dot notation; empty for any other element. */
export function oidOf(node: Node | undefined): string {
  if (node?.tagClass !== Class.UNIVERSAL || node.type !== Type.OID || typeof node.value !== 'string')
    return '';
  return forge.asn1.derToOid(node.value);
}

/** The bytes of an element; when a browser has split an octet string, those of its parts in order. */
export function bytesOf(node: Node | undefined): Buffer {
  if (node === undefined) return Buffer.alloc(0);
  if (typeof node.value === 'string') return Buffer.from(node.value, 'latin1');
  return Buffer.concat(childrenOf(node).map(bytesOf));
}

/** A whole number ≥ 0; NaN for any other element or more than four bytes. */
export function integerOf(node: Node | undefined): number {
  if (node?.tagClass !== Class.UNIVERSAL || node.type !== Type.INTEGER) return Number.NaN;
  const bytes = bytesOf(node);
  return bytes.length === 0 || bytes.length > 4 ? Number.NaN : bytes.readIntBE(0, bytes.length);
}

/** A text of any string type that names in certificates use. */
export function textOf(node: Node | undefined): string {
  if (node === undefined || typeof node.value !== 'string') return '';
  // The parser decodes only this type itself.
  if (node.type === Type.BMPSTRING) return node.value;
  const utf8 = Buffer.from(node.value, 'latin1').toString('utf8');
  return node.type === Type.UTF8 ? utf8 : node.value;
}
