import forge from 'node-forge';
import { LIMITS } from '../../ground/lib/limits.ts';

/** A parsed element of ASN.1. */
export type Node = forge.asn1.Asn1;

const { Class, Type } = forge.asn1;

// The typings do not know the last one.
const OPTIONS = { strict: true, maxDepth: LIMITS.certificateDepth.value } as unknown as boolean;

/** Parses DER, or BER as browsers write it. Null for anything that is not one whole element. */
export function parseDer(bytes: Buffer): Node | null {
  try {
    return forge.asn1.fromDer(bytes.toString('latin1'), OPTIONS);
  } catch {
    return null;
  }
}

/** The element again as bytes. */
export function derOf(node: Node): Buffer {
  return Buffer.from(forge.asn1.toDer(node).getBytes(), 'latin1');
}

/** What a constructed element holds; nothing for a plain one or none. */
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

/** An object identifier in dots; empty when the element is none. */
export function oidOf(node: Node | undefined): string {
  if (node?.tagClass !== Class.UNIVERSAL || node.type !== Type.OID || typeof node.value !== 'string')
    return '';
  return forge.asn1.derToOid(node.value);
}

/** The bytes of an element; those of the parts in order when browsers have cut an octet string into pieces. */
export function bytesOf(node: Node | undefined): Buffer {
  if (node === undefined) return Buffer.alloc(0);
  if (typeof node.value === 'string') return Buffer.from(node.value, 'latin1');
  return Buffer.concat(childrenOf(node).map(bytesOf));
}

/** A whole number from 0 on; NaN when the element is none or larger than four bytes. */
export function integerOf(node: Node | undefined): number {
  if (node?.tagClass !== Class.UNIVERSAL || node.type !== Type.INTEGER) return Number.NaN;
  const bytes = bytesOf(node);
  return bytes.length === 0 || bytes.length > 4 ? Number.NaN : bytes.readIntBE(0, bytes.length);
}

/** A text of any of the kinds that names in certificates use. */
export function textOf(node: Node | undefined): string {
  if (node === undefined || typeof node.value !== 'string') return '';
  // The parser has decoded this kind, and no other.
  if (node.type === Type.BMPSTRING) return node.value;
  const utf8 = Buffer.from(node.value, 'latin1').toString('utf8');
  return node.type === Type.UTF8 ? utf8 : node.value;
}
