import {
  createHash,
  createPrivateKey,
  type KeyObject,
  sign as signBytes,
  X509Certificate,
} from 'node:crypto';
import { promisify } from 'node:util';
import type { Identity } from '../../../certificates/read-certificate.ts';
import { canonical, element, leaf, type Namespaces, type XmlElement } from '../canonical-xml.ts';
import { issuerName } from './issuer-name.ts';
import { POLICY, SIGNER_ROLE } from './policy.ts';

const DS = { ds: 'http://www.w3.org/2000/09/xmldsig#' };
const XADES = { xades: 'http://uri.etsi.org/01903/v1.3.2#' };

const CANONICAL_XML = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315';
const ENVELOPED = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature';
const RSA_SHA256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256';
const SHA256 = 'http://www.w3.org/2001/04/xmlenc#sha256';
const SIGNED_PROPERTIES = 'http://uri.etsi.org/01903#SignedProperties';

/** The document contains one signature and no other identifiers, so these can be constant. */
const IDS = {
  signature: 'Signature',
  reference: 'Signature-Document',
  keyInfo: 'Signature-KeyInfo',
  properties: 'Signature-SignedProperties',
} as const;

/** A certificate with its RSA key, which the policy requires. */
export type Signer = { readonly certificates: readonly X509Certificate[]; readonly key: KeyObject };

/** The signer of an identity; null when its key is not RSA. */
export function signerOf({ cert, key }: Identity): Signer | null {
  const privateKey = createPrivateKey(key);
  if (privateKey.asymmetricKeyType !== 'rsa') return null;
  const blocks = cert.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? [];
  return { certificates: blocks.map((block) => new X509Certificate(block)), key: privateKey };
}

const signInThread = promisify<string, Buffer, KeyObject, Buffer>(signBytes);

/**
 * The document with an enveloped XAdES-EPES signature (ETSI TS 101 903 v1.3.2) under the format's policy: RSA with
 * SHA-256 over the document, the signed properties and the key information, by the issuer of the invoice. The same
 * document, signer and time give the same bytes. RSA runs in a separate thread.
 */
export async function signed(
  document: XmlElement,
  { certificates, key }: Signer,
  signedAt: Date,
): Promise<XmlElement> {
  const outer = { ...document.namespaces, ...DS };
  const keyInfo = keyInfoOf(certificates);
  const properties = signedProperties(certificates[0]!, signedAt);
  const signedInfo = element('ds:SignedInfo', [
    element('ds:CanonicalizationMethod', [], { Algorithm: CANONICAL_XML }),
    element('ds:SignatureMethod', [], { Algorithm: RSA_SHA256 }),
    reference({ Id: IDS.reference, URI: '' }, digestOf(document, {}), [ENVELOPED]),
    reference(
      { Type: SIGNED_PROPERTIES, URI: `#${IDS.properties}` },
      digestOf(properties, { ...outer, ...XADES }),
    ),
    reference({ URI: `#${IDS.keyInfo}` }, digestOf(keyInfo, outer)),
  ]);
  const value = await signInThread('RSA-SHA256', Buffer.from(canonical(signedInfo, outer)), key);
  const qualifying = element(
    'xades:QualifyingProperties',
    [properties],
    { Target: `#${IDS.signature}` },
    XADES,
  );
  const signature = element(
    'ds:Signature',
    [
      signedInfo,
      leaf('ds:SignatureValue', value.toString('base64')),
      keyInfo,
      element('ds:Object', [qualifying]),
    ],
    { Id: IDS.signature },
    DS,
  );
  return { ...document, content: [...document.content, signature] };
}

/** SHA-256 of the canonical form that a verifier computes for the element at its place in the document. */
function digestOf(part: XmlElement, inherited: Namespaces): string {
  return createHash('sha256').update(canonical(part, inherited)).digest('base64');
}

function reference(
  attributes: Readonly<Record<string, string>>,
  digest: string,
  transforms: readonly string[] = [],
): XmlElement {
  const listed = transforms.map((Algorithm) => element('ds:Transform', [], { Algorithm }));
  return element(
    'ds:Reference',
    [
      listed.length === 0 ? null : element('ds:Transforms', listed),
      element('ds:DigestMethod', [], { Algorithm: SHA256 }),
      leaf('ds:DigestValue', digest),
    ],
    attributes,
  );
}

/** The certificate with its issuers, and the public key. */
function keyInfoOf(certificates: readonly X509Certificate[]): XmlElement {
  const { n = '', e = '' } = certificates[0]!.publicKey.export({ format: 'jwk' });
  const inBase64 = (base64url: string): string => Buffer.from(base64url, 'base64url').toString('base64');
  return element(
    'ds:KeyInfo',
    [
      element(
        'ds:X509Data',
        certificates.map(({ raw }) => leaf('ds:X509Certificate', raw.toString('base64'))),
      ),
      element('ds:KeyValue', [
        element('ds:RSAKeyValue', [leaf('ds:Modulus', inBase64(n)), leaf('ds:Exponent', inBase64(e))]),
      ]),
    ],
    { Id: IDS.keyInfo },
  );
}

/** The signed properties of the signature: time, certificate, policy, role, and signed object. */
function signedProperties(certificate: X509Certificate, signedAt: Date): XmlElement {
  return element(
    'xades:SignedProperties',
    [
      element('xades:SignedSignatureProperties', [
        leaf('xades:SigningTime', `${signedAt.toISOString().slice(0, 19)}Z`),
        element('xades:SigningCertificate', [signingCertificate(certificate)]),
        element('xades:SignaturePolicyIdentifier', [policyId()]),
        element('xades:SignerRole', [
          element('xades:ClaimedRoles', [leaf('xades:ClaimedRole', SIGNER_ROLE)]),
        ]),
      ]),
      element('xades:SignedDataObjectProperties', [dataObjectFormat()]),
    ],
    { Id: IDS.properties },
  );
}

function signingCertificate(certificate: X509Certificate): XmlElement {
  return element('xades:Cert', [
    element('xades:CertDigest', [
      element('ds:DigestMethod', [], { Algorithm: SHA256 }),
      leaf('ds:DigestValue', createHash('sha256').update(certificate.raw).digest('base64')),
    ]),
    element('xades:IssuerSerial', [
      leaf('ds:X509IssuerName', issuerName(certificate)),
      leaf('ds:X509SerialNumber', BigInt(`0x${certificate.serialNumber}`).toString()),
    ]),
  ]);
}

function policyId(): XmlElement {
  return element('xades:SignaturePolicyId', [
    element('xades:SigPolicyId', [
      leaf('xades:Identifier', POLICY.identifier),
      leaf('xades:Description', POLICY.description),
    ]),
    element('xades:SigPolicyHash', [
      element('ds:DigestMethod', [], { Algorithm: POLICY.digestMethod }),
      leaf('ds:DigestValue', POLICY.digest),
    ]),
  ]);
}

/**
 * States that the signed object is an electronic invoice in XML: the identifier is the one in the policy's examples
 * for XML.
 */
function dataObjectFormat(): XmlElement {
  return element(
    'xades:DataObjectFormat',
    [
      leaf('xades:Description', 'Factura electrónica'),
      element('xades:ObjectIdentifier', [
        element('xades:Identifier', ['urn:oid:1.2.840.10003.5.109.10'], { Qualifier: 'OIDAsURN' }),
      ]),
      leaf('xades:MimeType', 'text/xml'),
    ],
    { ObjectReference: `#${IDS.reference}` },
  );
}
