import type { CertificateKind } from '../../../generated/prisma/enums.ts';
import { isSpanishNif } from '../tax-ids/spanish-nif.ts';
import { bytesOf, childrenOf, type Node, oidOf, parseDer, tagged, textOf } from './der.ts';

/** The holder as stated in the certificate. */
export type Holder = {
  /** The entity's NIF if there is one, else the person's; null when there is none. */
  readonly nif: string | null;
  readonly name: string;
  readonly kind: CertificateKind;
};

/** Names in a certificate's subject (X.520; 2.5.4.97 is ETSI EN 319 412-1 section 5.1.4's organizationIdentifier). */
const COMMON_NAME = '2.5.4.3';
const SURNAME = '2.5.4.4';
const SERIAL_NUMBER = '2.5.4.5';
const ORGANIZATION = '2.5.4.10';
const GIVEN_NAME = '2.5.4.42';
const ORGANIZATION_IDENTIFIER = '2.5.4.97';

/** FNMT repeats the holder in the alternative name: the person's NIF, the entity's name and the entity's NIF. */
const FNMT_PERSON_NIF = '1.3.6.1.4.1.5734.1.4';
const FNMT_ENTITY_NAME = '1.3.6.1.4.1.5734.1.6';
const FNMT_ENTITY_NIF = '1.3.6.1.4.1.5734.1.7';

const ALTERNATIVE_NAME = '2.5.29.17';
const POLICIES = '2.5.29.32';
const QUALIFIED_STATEMENTS = '1.3.6.1.5.5.7.1.3';

/**
 * The statement of the purpose of a qualified certificate, and its two values (ETSI EN 319 412-5 section 4.2.3).
 */
const QUALIFIED_TYPE = '0.4.0.1862.1.6';
const FOR_SIGNATURES = '0.4.0.1862.1.6.1';
const FOR_SEALS = '0.4.0.1862.1.6.2';

/** Qualified policies for natural and for legal persons (ETSI EN 319 411-2 section 5.3). */
const PERSON_POLICIES = ['0.4.0.194112.1.0', '0.4.0.194112.1.2'];
const SEAL_POLICIES = [
  '0.4.0.194112.1.1',
  '0.4.0.194112.1.3',
  // Seals of Spanish public bodies, high and middle level (Perfiles de certificados electrónicos 2.0).
  '2.16.724.1.3.5.6.1',
  '2.16.724.1.3.5.6.2',
];

/**
 * Reads the holder from a certificate in DER. If the certificate does not state whether it is a seal, its names
 * decide.
 */
export function holderOf(certificate: Buffer): Holder {
  const [tbs] = childrenOf(parseDer(certificate) ?? undefined);
  const fields = childrenOf(tbs);
  // The oldest certificates leave out the version; the subject is the fifth element after it.
  const subject = namesIn(fields[tagged(tbs, 0) === undefined ? 4 : 5]);
  const extensions = extensionsOf(tbs);
  const alternative = new Map(directoryNames(extensions.get(ALTERNATIVE_NAME)));
  const entityNif = nifIn(subject.get(ORGANIZATION_IDENTIFIER)) ?? nifIn(alternative.get(FNMT_ENTITY_NIF));
  const personNif = nifIn(subject.get(SERIAL_NUMBER)) ?? nifIn(alternative.get(FNMT_PERSON_NIF));
  const person = [subject.get(GIVEN_NAME), subject.get(SURNAME)].filter((name) => name !== undefined);
  const entity = subject.get(ORGANIZATION) ?? alternative.get(FNMT_ENTITY_NAME);
  const common = subject.get(COMMON_NAME) ?? '';
  const name = entityNif === null ? person.join(' ') || common : (entity ?? common);
  const kind = statedKind(extensions) ?? (entity !== undefined && person.length === 0 ? 'seal' : 'person');
  return { nif: entityNif ?? personNif, name, kind };
}

/** `VATES-B12345674`, `IDCES-12345678Z` (ETSI EN 319 412-1 section 5.1), or the bare number of older certificates. */
function nifIn(text: string | undefined): string | null {
  const nif = text
    ?.trim()
    .toUpperCase()
    .replace(/^[A-Z]{3}ES-/, '')
    .replace(/^ES(?=.{9}$)/, '');
  return nif !== undefined && isSpanishNif(nif) ? nif : null;
}

function statedKind(extensions: ReadonlyMap<string, Node>): CertificateKind | null {
  const types = childrenOf(extensions.get(QUALIFIED_STATEMENTS))
    .filter((statement) => oidOf(childrenOf(statement)[0]) === QUALIFIED_TYPE)
    .flatMap((statement) => childrenOf(childrenOf(statement)[1]).map(oidOf));
  if (types.includes(FOR_SEALS)) return 'seal';
  if (types.includes(FOR_SIGNATURES)) return 'person';
  const policies = childrenOf(extensions.get(POLICIES)).map((policy) => oidOf(childrenOf(policy)[0]));
  if (policies.some((policy) => SEAL_POLICIES.includes(policy))) return 'seal';
  return policies.some((policy) => PERSON_POLICIES.includes(policy)) ? 'person' : null;
}

/** The attributes of a distinguished name; of several of one type the first. */
function namesIn(name: Node | undefined): Map<string, string> {
  const names = new Map<string, string>();
  for (const attribute of childrenOf(name).flatMap(childrenOf)) {
    const [type, value] = childrenOf(attribute);
    if (!names.has(oidOf(type))) names.set(oidOf(type), textOf(value));
  }
  return names;
}

function extensionsOf(tbs: Node | undefined): Map<string, Node> {
  const extensions = new Map<string, Node>();
  for (const extension of childrenOf(childrenOf(tagged(tbs, 3))[0])) {
    const parts = childrenOf(extension);
    const value = parseDer(bytesOf(parts.at(-1)));
    if (value !== null) extensions.set(oidOf(parts[0]), value);
  }
  return extensions;
}

/** Of the alternative names only directory names, tagged 4, hold attributes (RFC 5280 section 4.2.1.6). */
function* directoryNames(alternative: Node | undefined): Generator<[string, string]> {
  const DIRECTORY_NAME = 4;
  for (const name of childrenOf(alternative)) {
    if (name.type === DIRECTORY_NAME) for (const inner of childrenOf(name)) yield* namesIn(inner);
  }
}
