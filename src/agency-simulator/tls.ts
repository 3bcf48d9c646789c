import { createPrivateKey, generateKeyPair, randomBytes, X509Certificate } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import forge from 'node-forge';

/** What the TLS server presents, and whose clients it lets in. */
export type ServerCredentials = { readonly ca: string; readonly cert: string; readonly key: string };

const YEARS_VALID = 3;
/** Certificates with less left than this are made anew at the next start. */
const RENEW_DAYS = 30;
const DAY_MS = 86_400_000;

const SECRET = 0o600;
const OPEN = 0o644;

type Attribute = forge.pki.CertificateField;
type Extension = Record<string, unknown>;
/** Who signs a certificate, and at which instant. */
type Issuer = { readonly key: forge.pki.rsa.PrivateKey; readonly name: Attribute[]; readonly now: Date };

/**
 * The credentials of a folder, made at the first start and again when they run out or do not name the server: `ca.pem`,
 * `server.pem`, `server-key.pem`, `client.p12` and `client-passphrase.txt` (keys and passphrase readable by the owner
 * alone).
 */
export async function serverCredentials(
  folder: string,
  name = 'localhost',
  now = new Date(),
): Promise<ServerCredentials> {
  const present = readCredentials(folder, name, now);
  if (present !== null) return present;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  await makeCredentials(folder, name, now);
  const stored = readCredentials(folder, name, now);
  if (stored === null)
    throw new Error(`The certificates made in ${folder} are not valid now: is the clock right?`);
  return stored;
}

function readCredentials(folder: string, name: string, now: Date): ServerCredentials | null {
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
  try {
    const credentials = { ca: read('ca.pem'), cert: read('server.pem'), key: read('server-key.pem') };
    readFileSync(join(folder, 'client.p12'));
    read('client-passphrase.txt');
    const names = new X509Certificate(credentials.cert).checkHost(name) !== undefined;
    const whole = names && isMatchingPair(credentials);
    return whole && isLasting(credentials.ca, now) && isLasting(credentials.cert, now) ? credentials : null;
  } catch {
    // Missing or damaged: either way they are made anew.
    return null;
  }
}

/** Not so where the power went while they were replaced. */
function isMatchingPair({ ca, cert, key }: ServerCredentials): boolean {
  const certificate = new X509Certificate(cert);
  return (
    certificate.verify(new X509Certificate(ca).publicKey) &&
    certificate.checkPrivateKey(createPrivateKey(key))
  );
}

function isLasting(pem: string, now: Date): boolean {
  const { validFromDate, validToDate } = new X509Certificate(pem);
  return validFromDate <= now && validToDate.getTime() - now.getTime() > RENEW_DAYS * DAY_MS;
}

async function makeCredentials(folder: string, name: string, now: Date): Promise<void> {
  const [caKey, serverKey, clientKey] = await Promise.all([newKey(), newKey(), newKey()]);
  const caName = [attribute('commonName', 'AC SIMULADOR'), attribute('organizationName', 'SIMULADOR')];
  const ca = signed(caKey, caName, { key: caKey, name: caName, now }, [
    { name: 'basicConstraints', critical: true, cA: true },
    { name: 'keyUsage', critical: true, keyCertSign: true, cRLSign: true },
  ]);
  const issuer = { key: caKey, name: ca.subject.attributes, now };
  const server = issued(serverKey, [attribute('commonName', 'localhost')], issuer, [
    { name: 'extKeyUsage', serverAuth: true },
    {
      name: 'subjectAltName',
      altNames: [
        ...[...new Set(['localhost', name])].map((value) => ({ type: 2, value })),
        { type: 7, ip: '127.0.0.1' },
        { type: 7, ip: '::1' },
      ],
    },
  ]);
  const client = issued(clientKey, clientName(), issuer, [{ name: 'extKeyUsage', clientAuth: true }]);
  const passphrase = randomBytes(18).toString('base64url');
  const pfx = forge.pkcs12.toPkcs12Asn1(clientKey, [client, ca], passphrase, {
    algorithm: 'aes256',
    count: 10_000,
    friendlyName: 'simulador',
  });
  const pem = (certificate: forge.pki.Certificate): string => forge.pki.certificateToPem(certificate);
  replaceFiles(folder, [
    ['server-key.pem', forge.pki.privateKeyToPem(serverKey), SECRET],
    ['server.pem', pem(server), OPEN],
    ['client-passphrase.txt', passphrase, SECRET],
    ['client.p12', Buffer.from(forge.asn1.toDer(pfx).getBytes(), 'latin1'), SECRET],
    ['ca.pem', pem(ca), OPEN],
  ]);
}

/** All are written before the first takes its place: a disk that is full leaves what was there. */
function replaceFiles(folder: string, files: [name: string, content: string | Buffer, mode: number][]): void {
  const unfinished = (name: string): string => join(folder, `${name}.${process.pid}.new`);
  try {
    for (const [name, content, mode] of files)
      writeFileSync(unfinished(name), content, { mode, flush: true });
    for (const [name] of files) renameSync(unfinished(name), join(folder, name));
  } finally {
    for (const [name] of files) rmSync(unfinished(name), { force: true });
  }
}

/** RSA, which node-forge can sign with; made by OpenSSL, which is a hundred times quicker at it. */
async function newKey(): Promise<forge.pki.rsa.PrivateKey> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  return forge.pki.privateKeyFromPem(privateKey);
}

/** Country and serial number are printable strings by their definition (RFC 5280), the rest is UTF-8. */
const PRINTABLE = new Set(['countryName', 'serialNumber']);

/** An attribute by its name, or by its number where node-forge has no name for it. */
function attribute(kind: string, value: string): Attribute {
  const { UTF8, PRINTABLESTRING } = forge.asn1.Type;
  const type = PRINTABLE.has(kind) ? PRINTABLESTRING : UTF8;
  // The typings take the class where the library takes the type.
  const valueTagClass = type as unknown as forge.asn1.Class;
  return /^[\d.]+$/.test(kind) ? { type: kind, value, valueTagClass } : { name: kind, value, valueTagClass };
}

/** A representative of a company, in the form of Spanish qualified certificates: IDCES- and VATES- numbers. */
function clientName(): Attribute[] {
  return [
    attribute('countryName', 'ES'),
    attribute('organizationName', 'EMPRESA DE DEMOSTRACION SL'),
    attribute('2.5.4.97', 'VATES-B00000000'),
    attribute('commonName', '00000000T PERSONA DEMOSTRACION (R: B00000000)'),
    attribute('2.5.4.4', 'DEMOSTRACION'),
    attribute('2.5.4.42', 'PERSONA'),
    attribute('serialNumber', 'IDCES-00000000T'),
  ];
}

function issued(
  key: forge.pki.rsa.PrivateKey,
  subject: Attribute[],
  issuer: Issuer,
  extensions: Extension[],
): forge.pki.Certificate {
  return signed(key, subject, issuer, [
    { name: 'basicConstraints', cA: false },
    { name: 'keyUsage', critical: true, digitalSignature: true, keyEncipherment: true },
    ...extensions,
  ]);
}

function signed(
  key: forge.pki.rsa.PrivateKey,
  subject: Attribute[],
  issuer: Issuer,
  extensions: Extension[],
): forge.pki.Certificate {
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = forge.pki.setRsaPublicKey(key.n, key.e);
  // A leading 01 keeps the number positive and of fixed length.
  certificate.serialNumber = `01${randomBytes(15).toString('hex')}`;
  const now = issuer.now.getTime();
  certificate.validity.notBefore = new Date(now - DAY_MS);
  certificate.validity.notAfter = new Date(now + YEARS_VALID * 365 * DAY_MS);
  certificate.setSubject(subject);
  certificate.setIssuer(issuer.name);
  certificate.setExtensions([...extensions, { name: 'subjectKeyIdentifier' }]);
  certificate.sign(issuer.key, forge.md.sha256.create());
  return certificate;
}
