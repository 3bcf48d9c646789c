import { createHash, verify, X509Certificate } from 'node:crypto';
import { type XmlDocument, XmlElement } from 'libxml2-wasm';
import { type Signer, signerIn } from './signer.ts';

/** The result of verifying a document's signature. */
export type ReadSignature = {
  /** Whether it covers the whole document as shown, unchanged. */
  readonly isIntact: boolean;
  /** Why not. */
  readonly faults: readonly string[];
  /** The subject of the certificate. Whether its issuer can be trusted is not checked. */
  readonly signer: Signer | null;
  readonly validFrom: string | null;
  readonly validTo: string | null;
  /** The time stated by the signature itself, if it is covered. */
  readonly signedAt: string | null;
};

const NAMESPACES = {
  ds: 'http://www.w3.org/2000/09/xmldsig#',
  xades: 'http://uri.etsi.org/01903/v1.3.2#',
};

const CANONICAL = {
  'http://www.w3.org/TR/2001/REC-xml-c14n-20010315': { mode: 0, withComments: false },
  'http://www.w3.org/TR/2001/REC-xml-c14n-20010315#WithComments': { mode: 0, withComments: true },
  'http://www.w3.org/2001/10/xml-exc-c14n#': { mode: 1, withComments: false },
  'http://www.w3.org/2006/12/xml-c14n11': { mode: 2, withComments: false },
} as const;
type Canonicalisation = (typeof CANONICAL)[keyof typeof CANONICAL];
const ORDINARY: Canonicalisation = CANONICAL['http://www.w3.org/TR/2001/REC-xml-c14n-20010315'];

const ENVELOPED = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature';
const SIGNED_PROPERTIES = 'http://uri.etsi.org/01903#SignedProperties';

const DIGESTS: Readonly<Record<string, string>> = {
  'http://www.w3.org/2000/09/xmldsig#sha1': 'sha1',
  'http://www.w3.org/2001/04/xmlenc#sha256': 'sha256',
  'http://www.w3.org/2001/04/xmldsig-more#sha384': 'sha384',
  'http://www.w3.org/2001/04/xmlenc#sha512': 'sha512',
};
const SIGNATURES: Readonly<Record<string, string>> = {
  'http://www.w3.org/2000/09/xmldsig#rsa-sha1': 'RSA-SHA1',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256': 'RSA-SHA256',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha384': 'RSA-SHA384',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512': 'RSA-SHA512',
};

/** A signature of an invoice needs no more references; each costs a pass over the document. */
const MAX_REFERENCES = 10;

/**
 * Verifies the enveloped signature of a document; null when there is none. It is valid only when one reference
 * covers the root of the document, except the signature itself: so the shown content is the signed content, and a
 * signature wrapping attack, with content around or beside what was signed, fails. The signature is removed from
 * the document.
 */
export function verifiedSignature(document: XmlDocument): ReadSignature | null {
  const signatures = elements(document, '//ds:Signature');
  const [signature, ...others] = signatures;
  if (signature === undefined) return null;
  const faults: string[] = [];
  if (others.length > 0) faults.push('there are several signatures');
  if (signature.parent?.isSameNode(document.root) !== true)
    faults.push('it is no child of the document’s root');
  const certificate = certificateOf(signature);
  if (certificate === null) faults.push('its certificate cannot be read');
  const signedInfo = only(signature, 'ds:SignedInfo');
  if (signedInfo === null) faults.push('it says not what it signs');
  if (faults.length > 0 || certificate === null || signedInfo === null)
    return unverified(faults, certificate);
  const properties = signedPropertiesOf(signature, signedInfo);
  if (!isSignedBy(signature, signedInfo, certificate))
    faults.push('its value is not of this certificate’s key');
  faults.push(...certificateFaults(properties, certificate));
  const signedAt = textOf(properties, './/xades:SigningTime');
  faults.push(...referenceFaults(document, signature, signedInfo));
  const moment = signedAt === null ? null : Date.parse(signedAt);
  if (
    moment !== null &&
    (moment < Date.parse(certificate.validFrom) || moment > Date.parse(certificate.validTo))
  ) {
    faults.push('the certificate was not in force when it was made');
  }
  return { ...unverified(faults, certificate), isIntact: faults.length === 0, signedAt };
}

function unverified(faults: readonly string[], certificate: X509Certificate | null): ReadSignature {
  return {
    ...{ isIntact: false, faults, signedAt: null },
    signer: certificate === null ? null : signerIn(certificate),
    validFrom: certificate?.validFromDate.toISOString() ?? null,
    validTo: certificate?.validToDate.toISOString() ?? null,
  };
}

function elements(from: XmlDocument | XmlElement, path: string): XmlElement[] {
  return from.find(path, NAMESPACES).filter((node) => node instanceof XmlElement);
}

function only(from: XmlElement, path: string): XmlElement | null {
  const found = elements(from, path);
  return found.length === 1 ? found[0]! : null;
}

function textOf(from: XmlElement | null, path: string): string | null {
  return from === null ? null : (only(from, path)?.content.trim() ?? null);
}

function algorithmOf(from: XmlElement, path: string): string {
  return only(from, path)?.attr('Algorithm')?.value ?? '';
}

/** The first certificate: the signer's precedes those of its issuers, and the signed digest confirms it. */
function certificateOf(signature: XmlElement): X509Certificate | null {
  const [first] = elements(signature, 'ds:KeyInfo/ds:X509Data/ds:X509Certificate');
  try {
    return first === undefined ? null : new X509Certificate(Buffer.from(first.content, 'base64'));
  } catch {
    return null;
  }
}

function isSignedBy(signature: XmlElement, signedInfo: XmlElement, certificate: X509Certificate): boolean {
  const algorithm = SIGNATURES[algorithmOf(signedInfo, 'ds:SignatureMethod')];
  const canonical = canonicalisation(algorithmOf(signedInfo, 'ds:CanonicalizationMethod'));
  const value = textOf(signature, 'ds:SignatureValue');
  if (algorithm === undefined || canonical === undefined || value === null) return false;
  const signed = Buffer.from(signedInfo.canonicalizeToString(canonical));
  try {
    return verify(algorithm, signed, certificate.publicKey, Buffer.from(value, 'base64'));
  } catch {
    return false;
  }
}

function canonicalisation(algorithm: string): Canonicalisation | undefined {
  return (CANONICAL as Readonly<Record<string, Canonicalisation>>)[algorithm];
}

/** The properties covered by the signature: they are inside it, and one of its references is to them. */
function signedPropertiesOf(signature: XmlElement, signedInfo: XmlElement): XmlElement | null {
  const properties = only(signature, 'ds:Object/xades:QualifyingProperties/xades:SignedProperties');
  const id = properties?.attr('Id')?.value;
  const isCovered = elements(signedInfo, 'ds:Reference').some(
    (reference) =>
      reference.attr('Type')?.value === SIGNED_PROPERTIES && reference.attr('URI')?.value === `#${id}`,
  );
  return isCovered ? properties : null;
}

function certificateFaults(properties: XmlElement | null, certificate: X509Certificate): string[] {
  if (properties === null) return ['it covers no properties of its own (XAdES)'];
  const path = './/xades:SigningCertificate/xades:Cert[1]/xades:CertDigest';
  const digest = DIGESTS[algorithmOf(properties, `${path}/ds:DigestMethod`)];
  const value = textOf(properties, `${path}/ds:DigestValue`);
  const isNamed = digest !== undefined && hashed(digest, certificate.raw) === value;
  return isNamed ? [] : ['the certificate is not the one that it names'];
}

function hashed(algorithm: string, content: string | Buffer): string {
  return createHash(algorithm).update(content).digest('base64');
}

/** References whose digest does not match. The document comes last, because the signature is removed from it. */
function referenceFaults(document: XmlDocument, signature: XmlElement, signedInfo: XmlElement): string[] {
  const references = elements(signedInfo, 'ds:Reference');
  if (references.length > MAX_REFERENCES) return ['it has more references than any invoice'];
  const faults: string[] = [];
  const whole = references.filter((reference) => reference.attr('URI')?.value === '');
  for (const reference of references.filter((each) => !whole.includes(each))) {
    const uri = reference.attr('URI')?.value ?? '';
    const target = targetOf(document, uri);
    if (target === null || !isWithin(target, signature)) {
      faults.push(
        `it refers to ${uri === '' ? 'nothing' : uri}, which is no part of it, and not the whole document`,
      );
    } else if (!digestOf(reference)(target)) faults.push(`${uri} was changed`);
  }
  const [covering] = whole;
  if (covering === undefined || whole.length > 1) return [...faults, 'it does not cover the whole document'];
  // The signature's properties are read before it is removed.
  const isWhole = digestOf(covering, ENVELOPED);
  signature.remove();
  if (!isWhole(document.root)) faults.push('the document was changed');
  return faults;
}

/**
 * The only element with that identifier; null when there are several, because readers could choose different ones.
 */
function targetOf(document: XmlDocument, uri: string): XmlElement | null {
  const id = /^#([A-Za-z_][A-Za-z0-9._-]*)$/.exec(uri)?.[1];
  if (id === undefined) return null;
  const found = elements(document, `//*[@Id='${id}' or @ID='${id}' or @id='${id}']`);
  return found.length === 1 ? found[0]! : null;
}

function isWithin(element: XmlElement, ancestor: XmlElement): boolean {
  for (let at: XmlElement | null = element; at !== null; at = at.parent)
    if (at.isSameNode(ancestor)) return true;
  return false;
}

/**
 * Whether an element has the digest that a reference states, with the transforms `expected` and at most a canonical
 * form.
 */
function digestOf(reference: XmlElement, expected: string | null = null): (target: XmlElement) => boolean {
  const algorithm = DIGESTS[algorithmOf(reference, 'ds:DigestMethod')];
  const value = textOf(reference, 'ds:DigestValue');
  const transforms = elements(reference, 'ds:Transforms/ds:Transform').map(
    (one) => one.attr('Algorithm')?.value ?? '',
  );
  const others = transforms.filter((transform) => transform !== expected);
  const isExpected = expected === null || transforms.length === others.length + 1;
  const canonical = others.length === 0 ? ORDINARY : canonicalisation(others[0]!);
  if (algorithm === undefined || value === null || canonical === undefined) return () => false;
  if (!isExpected || others.length > 1) return () => false;
  return (target) => hashed(algorithm, target.canonicalizeToString(canonical)) === value;
}
