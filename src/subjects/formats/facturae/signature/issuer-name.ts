import type { X509Certificate } from 'node:crypto';
import {
  childrenOf,
  derOf,
  isSequence,
  type Node,
  oidOf,
  parseDer,
  textOf,
} from '../../../certificates/der.ts';

/** The only attributes that RFC 2253 names; others are written as OID and encoded value. */
const KEYWORDS: Readonly<Record<string, string>> = {
  '2.5.4.3': 'CN',
  '2.5.4.6': 'C',
  '2.5.4.7': 'L',
  '2.5.4.8': 'ST',
  '2.5.4.9': 'STREET',
  '2.5.4.10': 'O',
  '2.5.4.11': 'OU',
  '0.9.2342.19200300.100.1.1': 'UID',
  '0.9.2342.19200300.100.1.25': 'DC',
};

/**
 * The name of a certificate's issuer as XML signatures write it (RFC 2253, referenced by XMLDSig 4.4.4): the last
 * component first.
 */
export function issuerName({ raw }: X509Certificate): string {
  const [certificate] = childrenOf(parseDer(raw) ?? undefined);
  // Serial number, algorithm, issuer; the optional version before them has a tag of its own.
  const [, issuer] = childrenOf(certificate).filter(isSequence);
  return childrenOf(issuer)
    .map((part) => childrenOf(part).map(attribute).join('+'))
    .reverse()
    .join(',');
}

function attribute(pair: Node): string {
  const [type, value] = childrenOf(pair);
  const oid = oidOf(type);
  const keyword = KEYWORDS[oid];
  if (value === undefined) return `${oid}=`;
  return keyword === undefined
    ? `${oid}=#${derOf(value).toString('hex')}`
    : `${keyword}=${escaped(textOf(value))}`;
}

function escaped(text: string): string {
  return text.replace(/[,+"\\<>;]|^[ #]| $/g, (character) => `\\${character}`);
}
