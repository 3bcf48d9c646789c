import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import type { CertificateKind } from '../../../generated/prisma/enums.ts';
import { invalidField, isRefusal, type Outcome } from '../../ground/errors/refusal.ts';
import { childrenOf, oidOf, parseDer } from './der.ts';
import { holderOf } from './holder.ts';
import { CERTIFICATE_LIMITS } from './limits.ts';
import { readPem } from './pem.ts';
import { type Contents, readPkcs12 } from './pkcs12.ts';
import type { Problem } from './problem.ts';

/** The input of TLS: the certificate with its issuers, and its key, both PEM. */
export type Identity = { readonly cert: string; readonly key: string };

/** A parsed client certificate whose key matches. */
export type ReadCertificate = {
  readonly identity: Identity;
  readonly holderNif: string | null;
  readonly holderName: string;
  readonly kind: CertificateKind;
  readonly validFrom: Date;
  readonly validTo: Date;
  /** SHA-256 of the certificate in lower-case hexadecimal digits. */
  readonly fingerprint: string;
};

/** An uploaded certificate with its key, and the name of its field. */
export type CertificateFile = {
  readonly field: string;
  readonly content: Buffer;
  readonly password: string;
};

/**
 * Reads a PKCS#12 or a PEM, detected by content. Validity and holder are not checked. Refuses with
 * `invalid_request`; the code is the actual cause: `too_big`, `not_pkcs12`, `not_pem`, `wrong_password` (of
 * the field `password`), `no_certificate`, `no_private_key`, `key_mismatch`, `unsupported_algorithm`, `too_costly`.
 * Uploads are read by `readCertificateAside`.
 */
export function readCertificate({ field, content, password }: CertificateFile): Outcome<ReadCertificate> {
  if (content.length > CERTIFICATE_LIMITS.certificateSize.value)
    return invalidField(field, 'too_big', 'is larger than any certificate');
  const isPem = content.includes('-----BEGIN ');
  const contents = isPem ? readPem(content.toString('utf8'), password) : readPkcs12(content, password);
  if (!('kind' in contents)) return match(field, contents);
  // A .cer or .crt file: browsers export it when the key is not selected.
  const alone =
    contents.kind === 'malformed' && parsed([content], (der) => new X509Certificate(der)).length > 0;
  return alone
    ? match(field, { certificates: [content], keys: [] })
    : refuse(field, isPem, contents, password);
}

function refuse(field: string, isPem: boolean, problem: Problem, password: string) {
  switch (problem.kind) {
    case 'wrong_password':
      return invalidField(
        'password',
        'wrong_password',
        password === '' ? 'is missing: the file has one' : 'is not the password of the file',
      );
    case 'unsupported':
      return invalidField(
        field,
        'unsupported_algorithm',
        `uses ${problem.what}, which is not supported; export it again with another program`,
      );
    case 'excessive':
      return invalidField(field, 'too_costly', `asks for ${problem.what}`);
    case 'malformed':
      return isPem
        ? invalidField(field, 'not_pem', 'is not a readable PEM text')
        : invalidField(
            field,
            'not_pkcs12',
            'is neither a PKCS#12 (.p12, .pfx) nor a PEM text, or it is damaged',
          );
  }
}

function match(field: string, contents: Contents): Outcome<ReadCertificate> {
  const certificates = parsed(contents.certificates, (der) => new X509Certificate(der));
  if (certificates.length === 0) {
    return invalidField(field, 'no_certificate', 'holds no readable certificate');
  }
  if (contents.keys.length === 0) {
    return invalidField(
      field,
      'no_private_key',
      'holds no private key: export the certificate together with its key',
    );
  }
  const keys = parsed(contents.keys, usableKey);
  if (keys.length === 0) {
    return invalidField(field, 'unsupported_algorithm', 'holds a key of a kind that is not supported');
  }
  for (const key of keys) {
    const ownCertificate = certificates.find((certificate) => certificate.checkPrivateKey(key));
    if (ownCertificate !== undefined) return described(field, ownCertificate, key, certificates);
  }
  return invalidField(field, 'key_mismatch', 'holds a private key that does not belong to its certificate');
}

/**
 * RSA, RSA-PSS, elliptic curves, Ed25519 and Ed448. For other types OpenSSL computes missing parameters, at any
 * size.
 */
const KEY_KINDS = [
  '1.2.840.113549.1.1.1',
  '1.2.840.113549.1.1.10',
  '1.2.840.10045.2.1',
  '1.3.101.112',
  '1.3.101.113',
];

/** Every known authority uses 65,537. */
const LARGEST_EXPONENT = 2n ** 32n;

/** The key in a PKCS#8. Throws when it is not one that may be used. */
function usableKey(der: Buffer): KeyObject {
  const [, algorithm] = childrenOf(parseDer(der) ?? undefined);
  if (!KEY_KINDS.includes(oidOf(childrenOf(algorithm)[0]))) throw new Error('a key of another kind');
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const { modulusLength = 0, publicExponent = 0n } = key.asymmetricKeyDetails ?? {};
  if (modulusLength > CERTIFICATE_LIMITS.certificateKeyBits.value || publicExponent > LARGEST_EXPONENT) {
    throw new Error('a key that takes too long to sign with');
  }
  return key;
}

function parsed<T>(encoded: readonly Buffer[], parse: (der: Buffer) => T): T[] {
  return encoded.flatMap((der) => {
    try {
      return [parse(der)];
    } catch {
      return [];
    }
  });
}

function described(
  field: string,
  ownCertificate: X509Certificate,
  key: KeyObject,
  others: readonly X509Certificate[],
): Outcome<ReadCertificate> {
  const identity = {
    cert: chainOf(ownCertificate, others)
      .map((certificate) => certificate.toString())
      .join(''),
    key: key.export({ format: 'pem', type: 'pkcs8' }) as string,
  };
  const usable = checkForTls(field, identity);
  if (isRefusal(usable)) return usable;
  const holder = holderOf(ownCertificate.raw);
  return {
    identity,
    holderNif: holder.nif,
    holderName: holder.name,
    kind: holder.kind,
    validFrom: ownCertificate.validFromDate,
    validTo: ownCertificate.validToDate,
    fingerprint: ownCertificate.fingerprint256.replaceAll(':', '').toLowerCase(),
  };
}

/**
 * The certificate and its issuers, each after the one that it signed; the root is left out because the peer has it.
 */
function chainOf(ownCertificate: X509Certificate, others: readonly X509Certificate[]): X509Certificate[] {
  const chain = [ownCertificate];
  for (let last = ownCertificate; ; ) {
    const issuer = others.find((other) => !chain.includes(other) && last.checkIssued(other));
    if (issuer === undefined || issuer.checkIssued(issuer)) return chain;
    chain.push(issuer);
    last = issuer;
  }
}

/** TLS has requirements of its own: keys of 2048 bits, no SHA-1. */
function checkForTls(field: string, identity: Identity): Outcome<null> {
  try {
    createSecureContext(identity);
    return null;
  } catch (error) {
    const reason = (error as Error).message.split(':').at(-1)?.trim();
    return invalidField(field, 'unsupported_algorithm', `cannot be used for TLS: ${reason}`);
  }
}
