import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import forge from 'node-forge';

/** Certificates as authorities issue them, made on the spot. */

const { asn1 } = forge;
const { Class, Type } = asn1;

/** A name: attribute numbers with their texts, in order. */
export type Name = readonly (readonly [oid: string, text: string])[];

const COUNTRY = ['2.5.4.6', 'ES'] as const;

/** A person for himself, as in FNMT's AC Usuarios. */
export const person = (nif: string): Name => [
  COUNTRY,
  ['2.5.4.5', `IDCES-${nif}`],
  ['2.5.4.42', 'MARÍA'],
  ['2.5.4.4', 'PEÑA LÓPEZ'],
  ['2.5.4.3', `PEÑA LÓPEZ MARÍA - ${nif}`],
];

/** A person for a company, as in FNMT's AC Representación. */
export const representative = (companyNif: string, personNif = '12345678Z'): Name => [
  COUNTRY,
  ['2.5.4.10', 'ÑANDÚ TALLERES SL'],
  ['2.5.4.97', `VATES-${companyNif}`],
  ['2.5.4.5', `IDCES-${personNif}`],
  ['2.5.4.42', 'MARÍA'],
  ['2.5.4.4', 'PEÑA LÓPEZ'],
  ['2.5.4.3', `${personNif} MARÍA PEÑA (R: ${companyNif})`],
];

/** A company's seal. */
export const seal = (companyNif: string): Name => [
  COUNTRY,
  ['2.5.4.10', 'ÑANDÚ TALLERES SL'],
  ['2.5.4.97', `VATES-${companyNif}`],
  ['2.5.4.3', 'SELLO DE ÑANDÚ TALLERES SL'],
];

type Extension = { id: string; critical?: boolean; value: string };

const element = (type: forge.asn1.Type, value: string | forge.asn1.Asn1[]) =>
  asn1.create(Class.UNIVERSAL, type, Array.isArray(value), value);
const oid = (text: string) => element(Type.OID, asn1.oidToDer(text).getBytes());
const sequence = (...parts: forge.asn1.Asn1[]) => element(Type.SEQUENCE, parts);
const der = (node: forge.asn1.Asn1) => asn1.toDer(node).getBytes();

/** The statement that a qualified certificate is for seals, or for signatures. */
export const qualifiedFor = (purpose: 'seals' | 'signatures'): Extension => {
  const type = oid(purpose === 'seals' ? '0.4.0.1862.1.6.2' : '0.4.0.1862.1.6.1');
  return {
    id: '1.3.6.1.5.5.7.1.3',
    value: der(sequence(sequence(oid('0.4.0.1862.1.1')), sequence(oid('0.4.0.1862.1.6'), sequence(type)))),
  };
};

/** The policies under which a certificate was issued. */
export const policies = (...oids: string[]): Extension => ({
  id: '2.5.29.32',
  value: der(sequence(...oids.map((policy) => sequence(oid(policy))))),
});

/** An alternative name that is a name with attributes, as FNMT repeats its holders. */
export const directoryName = (name: Name): Extension => {
  const attributes = name.map(([type, text]) =>
    element(Type.SET, [sequence(oid(type), element(Type.UTF8, forge.util.encodeUtf8(text)))]),
  );
  return {
    id: '2.5.29.17',
    value: der(
      sequence(asn1.create(Class.CONTEXT_SPECIFIC, 4 as forge.asn1.Type, true, [sequence(...attributes)])),
    ),
  };
};

export type Wanted = {
  readonly subject: Name;
  readonly extensions?: readonly Extension[];
  readonly from?: Date;
  readonly to?: Date;
};

/** A certificate with its key. */
export type Issued = {
  readonly cert: string;
  readonly key: string;
  /** Both as PKCS#12; `encryption` that of the key. */
  p12(password: string, encryption?: 'aes256' | '3des'): Buffer;
};

export type Authority = {
  readonly ca: string;
  issue(wanted: Wanted): Issued;
  /** Writes what a simulator needs that shall trust this authority's clients, into its data directory. */
  equip(dataDir: string): void;
};

type KeyPair = { readonly pem: string; readonly key: forge.pki.rsa.PrivateKey };

export function newKeyPair(modulusLength = 2_048): KeyPair {
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  return { pem: privateKey, key: forge.pki.privateKeyFromPem(privateKey) };
}

const DAY_MS = 86_400_000;
const CA_NAME: Name = [COUNTRY, ['2.5.4.3', 'AC DE PRUEBAS']];

function attributesOf(name: Name): forge.pki.CertificateField[] {
  return name.map(([type, value]) => {
    const printable = type === '2.5.4.6' || type === '2.5.4.5';
    const kind = printable ? Type.PRINTABLESTRING : Type.UTF8;
    return { type, value, valueTagClass: kind as unknown as forge.asn1.Class };
  });
}

/** An authority of the test's own, of that name. All that it issues has the same key: making one takes longest. */
export function newAuthority(keyBits = 2_048, name = CA_NAME): Authority {
  const own = newKeyPair();
  const issued = newKeyPair(keyBits);
  const sign = (pair: KeyPair, { subject, extensions = [], from, to }: Wanted, base: object[]) => {
    const certificate = forge.pki.createCertificate();
    certificate.publicKey = forge.pki.setRsaPublicKey(pair.key.n, pair.key.e);
    certificate.serialNumber = `01${randomBytes(15).toString('hex')}`;
    certificate.validity.notBefore = from ?? new Date(Date.now() - DAY_MS);
    certificate.validity.notAfter = to ?? new Date(Date.now() + 365 * DAY_MS);
    certificate.setSubject(attributesOf(subject));
    certificate.setIssuer(attributesOf(name));
    certificate.setExtensions([...base, ...extensions]);
    certificate.sign(own.key, forge.md.sha256.create());
    return certificate;
  };
  const ca = sign(own, { subject: name }, [{ name: 'basicConstraints', critical: true, cA: true }]);
  const issue = (wanted: Wanted, base: object[] = [{ name: 'extKeyUsage', clientAuth: true }]): Issued => {
    const certificate = sign(issued, wanted, base);
    return {
      cert: forge.pki.certificateToPem(certificate),
      key: issued.pem,
      p12: (password, algorithm = 'aes256') => {
        const pfx = forge.pkcs12.toPkcs12Asn1(issued.key, [certificate, ca], password, { algorithm });
        return Buffer.from(der(pfx), 'latin1');
      },
    };
  };
  return {
    ca: forge.pki.certificateToPem(ca),
    issue,
    equip(dataDir) {
      const folder = join(dataDir, 'tls');
      mkdirSync(folder, { recursive: true });
      const server = issue({ subject: [['2.5.4.3', 'localhost']] }, [
        { name: 'extKeyUsage', serverAuth: true },
        { name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] },
      ]);
      const client = issue({ subject: representative('B00000000', '00000000T') });
      writeFileSync(join(folder, 'ca.pem'), forge.pki.certificateToPem(ca));
      writeFileSync(join(folder, 'server.pem'), server.cert);
      writeFileSync(join(folder, 'server-key.pem'), server.key);
      writeFileSync(join(folder, 'client.p12'), client.p12('simulator'));
      writeFileSync(join(folder, 'client-passphrase.txt'), 'simulator');
    },
  };
}
