import { createHash, createVerify, X509Certificate } from 'node:crypto';
import { XmlDocument, type XmlElement } from 'libxml2-wasm';
import { describe, expect, test } from 'vitest';
import { isRefusal } from '../../src/ground/errors/refusal.ts';
import { canonical, element, leaf } from '../../src/subjects/formats/facturae/canonical-xml.ts';
import { facturaeOf, textOf } from '../../src/subjects/formats/facturae/facturae.ts';
import { issuerName } from '../../src/subjects/formats/facturae/signature/issuer-name.ts';
import { signed, signerOf } from '../../src/subjects/formats/facturae/signature/sign.ts';
import { newAuthority, seal } from '../support/agency/certificates.ts';
import { HAVE_SCHEMAS, schemaFaults } from '../support/formats/facturae-schema.ts';
import { facturaeSource, sourceLine } from '../support/formats/facturae-source.ts';
import { HAVE_XMLSEC, verifiedByXmlsec } from '../support/formats/xmlsec.ts';

const NAMESPACES = { ds: 'http://www.w3.org/2000/09/xmldsig#', xades: 'http://uri.etsi.org/01903/v1.3.2#' };
const SIGNED_AT = new Date('2026-07-01T08:15:30.456Z');

const authority = newAuthority();
const issued = authority.issue({ subject: seal('B72877814') });
const signer = signerOf({ cert: issued.cert + authority.ca, key: issued.key })!;

const source = facturaeSource({
  notes: 'a < b & "c" > d\r\nñ 𝄞\tz',
  lines: [sourceLine(10_000, { surcharge: 520 }), sourceLine(-1, { description: 'Descuento & más' })],
});

async function signedText(given = source, at = SIGNED_AT): Promise<string> {
  const document = facturaeOf(given);
  if (isRefusal(document)) throw new Error(document.detail);
  return textOf(await signed(document, signer, at));
}

const only = (document: XmlDocument, path: string): XmlElement => {
  const found = document.find(path, NAMESPACES);
  expect(found, path).toHaveLength(1);
  return found[0] as XmlElement;
};

const valueAt = (document: XmlDocument, path: string): string => only(document, path).content;

/** What libxml2's canonicaliser and Node's cryptography think of a signature: which of its parts do not hold. */
function faultsOf(text: string): string[] {
  const document = XmlDocument.fromString(text);
  try {
    const faults: string[] = [];
    const signedInfo = only(document, '//ds:SignedInfo').canonicalizeToString();
    const certificate = new X509Certificate(
      Buffer.from((document.get('//ds:X509Certificate', NAMESPACES) as XmlElement).content, 'base64'),
    );
    const value = Buffer.from(valueAt(document, '//ds:SignatureValue'), 'base64');
    const verify = createVerify('RSA-SHA256').update(signedInfo);
    if (!verify.verify(certificate.publicKey, value)) faults.push('SignedInfo');
    const references = document.find('//ds:Reference', NAMESPACES) as XmlElement[];
    const digests = references.map((reference) => ({
      uri: reference.attr('URI')!.content,
      digest: (reference.get('ds:DigestValue', NAMESPACES) as XmlElement).content,
    }));
    for (const { uri, digest } of digests.filter((reference) => reference.uri !== '')) {
      const part = only(document, `//*[@Id='${uri.slice(1)}']`).canonicalizeToString();
      if (createHash('sha256').update(part).digest('base64') !== digest) faults.push(uri);
    }
    only(document, '//ds:Signature').remove();
    const rest = createHash('sha256').update(document.canonicalizeToString()).digest('base64');
    if (rest !== digests.find(({ uri }) => uri === '')?.digest) faults.push('document');
    return faults;
  } finally {
    document.dispose();
  }
}

test('what is written is its own canonical form, for any texts', () => {
  const specialCharacters = 'a < b & c > d "e" \'f\' \t \r \n ]]> ñ € 𝄞';
  const inner = element(
    'in:part',
    [leaf('plain', specialCharacters), element('empty', [], { b: specialCharacters, a: 'x' })],
    {},
    { in: 'urn:i' },
  );
  const root = element('z:root', [inner], { Id: specialCharacters }, { z: 'urn:z', a: 'urn:a' });
  const document = XmlDocument.fromString(canonical(root));
  expect(document.canonicalizeToString()).toBe(canonical(root));
  const part = document.get('//in:part', { in: 'urn:i' }) as XmlElement;
  expect(part.canonicalizeToString()).toBe(canonical(inner, root.namespaces));
  document.dispose();
});

describe('a signature', () => {
  test('holds, by libxml2 and Node', async () => {
    expect(faultsOf(await signedText())).toEqual([]);
  });

  test.skipIf(!HAVE_XMLSEC)('holds, by xmlsec1, and that of a changed byte does not', async () => {
    const text = await signedText();
    expect(verifiedByXmlsec(text, authority.ca)).toBe('verified');
    for (const [right, wrong] of CHANGED) {
      expect(text).toContain(right);
      expect(verifiedByXmlsec(text.replace(right, wrong), authority.ca), wrong).not.toBe('verified');
    }
    // And of somebody whom nobody trusts.
    expect(verifiedByXmlsec(text, newAuthority().ca)).not.toBe('verified');
  });

  test('does not hold when any part that it covers has another byte', async () => {
    const text = await signedText();
    for (const [right, wrong, part] of CHANGED) {
      expect(text).toContain(right);
      expect(faultsOf(text.replace(right, wrong)), wrong).toContain(part);
    }
  });

  test('is the same for the same document, signer and moment, byte for byte', async () => {
    expect(await signedText()).toBe(await signedText());
    expect(await signedText(source, new Date('2026-07-02T00:00:00Z'))).not.toBe(await signedText());
  });

  test('leaves the document as it was', async () => {
    const document = facturaeOf(source);
    if (isRefusal(document)) throw new Error(document.detail);
    const text = await signedText();
    expect(text.replace(/<ds:Signature .*<\/ds:Signature>/s, '')).toBe(textOf(document));
  });

  test.skipIf(!HAVE_SCHEMAS)(
    'is where the schema has it, and as the schema of signatures has it',
    async () => {
      expect(schemaFaults(await signedText())).toBe('');
    },
  );

  test('is XAdES-EPES under policy 3.1 with the three references that the policy wants', async () => {
    const document = XmlDocument.fromString(await signedText());
    const attribute = (path: string, name: string) => only(document, path).attr(name)?.content;
    expect(attribute('//ds:SignatureMethod', 'Algorithm')).toBe(
      'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    );
    const references = document.find('//ds:Reference', NAMESPACES) as XmlElement[];
    expect(references.map((reference) => reference.attr('URI')?.content)).toEqual([
      '',
      '#Signature-SignedProperties',
      '#Signature-KeyInfo',
    ]);
    expect(references[1]!.attr('Type')?.content).toBe('http://uri.etsi.org/01903#SignedProperties');
    expect(attribute('//ds:Transform', 'Algorithm')).toBe(
      'http://www.w3.org/2000/09/xmldsig#enveloped-signature',
    );
    expect(valueAt(document, '//xades:SigPolicyId/xades:Identifier')).toMatch(
      /politica_de_firma_formato_facturae_v3_1\.pdf$/,
    );
    expect(valueAt(document, '//xades:SigPolicyHash/ds:DigestValue')).toBe('Ohixl6upD6av8N7pEvDABhEL6hM=');
    expect(valueAt(document, '//xades:ClaimedRole')).toBe('emisor');
    expect(valueAt(document, '//xades:SigningTime')).toBe('2026-07-01T08:15:30Z');
    const { fingerprint256, serialNumber } = new X509Certificate(issued.cert);
    const digest = Buffer.from(valueAt(document, '//xades:CertDigest/ds:DigestValue'), 'base64');
    expect(digest.toString('hex').toUpperCase()).toBe(fingerprint256.replaceAll(':', ''));
    expect(BigInt(valueAt(document, '//ds:X509SerialNumber'))).toBe(BigInt(`0x${serialNumber}`));
    expect(document.find('//ds:X509Certificate', NAMESPACES)).toHaveLength(2);
    document.dispose();
  });
});

/** What stands in a signed document, what it is changed to, and which part no longer holds. */
const CHANGED = [
  ['<UnitPriceWithoutTax>100.00', '<UnitPriceWithoutTax>900.00', 'document'],
  ['<Modality>I', '<Modality>L', 'document'],
  ['<Modality>', '<Modality> ', 'document'],
  ['2026-07-01T08:15:30Z', '2026-07-01T08:15:31Z', '#Signature-SignedProperties'],
  ['>emisor<', '>tercero<', '#Signature-SignedProperties'],
  ['<ds:Exponent>AQAB', '<ds:Exponent>AQAC', '#Signature-KeyInfo'],
  ['Id="Signature-Document"', 'Id="Signature-Other"', 'SignedInfo'],
] as const;

describe('the name of a certificate’s issuer', () => {
  test('is written from its last part, with only the names that RFC 2253 knows', () => {
    const name = [
      ['2.5.4.6', 'ES'],
      ['2.5.4.10', 'ÑANDÚ, "TALLERES" + <SL>'],
      ['2.5.4.97', 'VATES-B72877814'],
      ['2.5.4.3', ' #1 \\ x; '],
    ] as const;
    const { cert } = newAuthority(2_048, name).issue({ subject: seal('B72877814') });
    expect(issuerName(new X509Certificate(issued.cert))).toBe('CN=AC DE PRUEBAS,C=ES');
    const named = new X509Certificate(cert);
    expect(issuerName(named)).toBe(
      'CN=\\ #1 \\\\ x\\;\\ ,2.5.4.97=#0c0f56415445532d423732383737383134,O=ÑANDÚ\\, \\"TALLERES\\" \\+ \\<SL\\>,C=ES',
    );
  });
});

test('a key that is not RSA signs nothing: the policy demands RSA', async () => {
  const { generateKeyPairSync } = await import('node:crypto');
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
  expect(signerOf({ cert: issued.cert, key })).toBeNull();
});
