import type { X509Certificate } from 'node:crypto';
import { stdnum } from 'stdnum';

const nifs = stdnum['ES']!['nif']!;

/** Who a certificate says has signed. */
export type Signer = { readonly name: string; readonly nif: string | null; readonly issuer: string };

/** An entity under its own name, if the certificate has its NIF; else the person. */
export function signerIn(certificate: X509Certificate): Signer {
  const subject = certificate.toLegacyObject().subject as Partial<Record<string, string | string[]>>;
  const named = (attribute: string) => [subject[attribute] ?? []].flat()[0];
  const entityNif = nifIn(named('organizationIdentifier'));
  const person = [named('GN'), named('SN')].filter((name) => name !== undefined).join(' ');
  const common = named('CN') ?? '';
  return {
    name: entityNif === null ? person || common : (named('O') ?? common),
    nif: entityNif ?? nifIn(named('serialNumber')),
    issuer: certificate.issuer.split('\n').join(', '),
  };
}

/** `VATES-B12345674`, `IDCES-12345678Z` (ETSI EN 319 412-1 section 5.1), or the bare number of older certificates. */
function nifIn(text: string | undefined): string | null {
  const nif = text
    ?.trim()
    .toUpperCase()
    .replace(/^[A-Z]{3}ES-/, '')
    .replace(/^ES(?=.{9}$)/, '');
  return nif !== undefined && isNif(nif) ? nif : null;
}

/** Whether a text is a Spanish NIF, of a person or an entity, whose control character is right. */
export function isNif(text: string): boolean {
  return nifs.validate(text).isValid;
}
