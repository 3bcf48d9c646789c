import { clock } from '../../../ground/lib/clock.ts';
import { fitLine } from '../../../ground/lib/text.ts';
import { child, escapeXml, text, type XmlElement } from '../../../ground/lib/xml.ts';
import type { RegisterQueryResult } from './query-result.ts';
import { type ClientTls, openSoapClient } from './soap.ts';

/**
 * The tax agency's census of NIFs with their names (web service VNifV2, SOAP with client certificate). The agency
 * publishes no test service; namespace and answers are those on which independent clients agree.
 */
const NAMESPACE =
  'http://www2.agenciatributaria.gob.es/static_files/common/internet/dep/aplicaciones/es/aeat/burt/jdit/ws/VNifV2Ent.xsd';

/** A client of the census. */
export type Census = {
  /** The census's answer about a NIF together with a fiscal name. Never throws. */
  lookUp(nif: string, name: string): Promise<RegisterQueryResult>;
  close(): void;
};

/** The address of the census, and the required client certificate. */
export type CensusAccess = ClientTls & { readonly url: string };

/** The clients of the census, each with the certificate of the requesting environment. */
export type CensusClients = {
  /** The environment's client at this moment, or a text why there is none. */
  clientFor(environmentId: number): Promise<Census | string>;
  close(): void;
};

/** One client for all environments. */
export function singleCensus(access: CensusAccess): CensusClients {
  const census = openCensus(access);
  return { clientFor: async () => census, close: () => census.close() };
}

/** Opens a client of the census. Throws when the certificate or its passphrase is unusable. */
export function openCensus(access: CensusAccess): Census {
  const client = openSoapClient('census', access.url, access);
  return {
    async lookUp(nif, name) {
      const answer = await client.request(question(nif, name), 'VNifV2Sal');
      switch (answer.kind) {
        case 'message':
          return censusResultOf(answer.message, nif);
        case 'fault':
          return { kind: 'unavailable', reason: `fault: ${answer.text.slice(0, 200)}` };
        case 'silent':
          return {
            ...{ kind: 'unavailable', reason: answer.reason },
            certificateRefused: answer.certificateRefused ?? false,
          };
      }
    },
    close: () => client.close(),
  };
}

function question(nif: string, name: string): string {
  return (
    `<vnif:VNifV2Ent xmlns:vnif="${NAMESPACE}"><vnif:Contribuyente><vnif:Nif>${escapeXml(nif)}</vnif:Nif>` +
    `<vnif:Nombre>${escapeXml(name)}</vnif:Nombre></vnif:Contribuyente></vnif:VNifV2Ent>`
  );
}

const IN_ITS_ORDER = 'a person’s surnames stand before the given name, as in GARCIA LOPEZ ANA';

function unknown(
  reason: 'not_registered' | 'name_mismatch',
  detail: string,
  registeredName: string | null = null,
): RegisterQueryResult {
  return { kind: 'unknown', reason, detail, registeredName };
}

/** The agency's records hold names of 120 characters (XSD TextMax120Type); a longer one is not repeated. */
const LONGEST_NAME = 120;

/** Under a similar name the NIF is not identified: the agency would reject the record (1110). Its own spelling is what helps. */
function similar(answered: string | null): RegisterQueryResult {
  const name = fitLine(answered ?? '').trim();
  if (name === '' || name.length > LONGEST_NAME) {
    return unknown('name_mismatch', `the census knows the NIF under a similar name; ${IN_ITS_ORDER}`);
  }
  const detail = `the census knows the NIF under a similar name, ${name}: send it as it is written there`;
  return unknown('name_mismatch', detail, name);
}

/**
 * Interprets the census's answer about a NIF. A deregistered NIF is accepted, since a closed company may still have
 * to be invoiced; a revoked one is invalid (LGT, additional provision 6.4). Unknown results count as no answer.
 */
export function censusResultOf(message: XmlElement, nif: string): RegisterQueryResult {
  const person = child(message, 'Contribuyente');
  const result = (person === null ? null : text(person, 'Resultado'))
    ?.toUpperCase()
    .replace(/\s+/g, ' ')
    .replace(/ ?- ?/g, '-');
  if (person === null || result === undefined)
    return { kind: 'unavailable', reason: 'the answer holds no result' };
  if (text(person, 'Nif')?.toUpperCase() !== nif) {
    return { kind: 'unavailable', reason: 'the answer is about another NIF' };
  }
  switch (result) {
    case 'IDENTIFICADO':
    case 'IDENTIFICADO-BAJA': {
      const registeredName = text(person, 'Nombre');
      const askedAt = clock.now().toISOString();
      const evidence = { register: 'aeat_census', askedAt, reference: null, result, registeredName } as const;
      return { kind: 'known', evidence };
    }
    // Documented with and without the first word.
    case 'NO IDENTIFICADO-SIMILAR':
    case 'IDENTIFICADO-SIMILAR':
      return similar(text(person, 'Nombre'));
    case 'NO IDENTIFICADO':
      return unknown(
        'not_registered',
        `the tax agency’s census does not know the NIF together with this name; ${IN_ITS_ORDER}`,
      );
    case 'IDENTIFICADO-REVOCADO':
      return unknown('not_registered', 'the tax agency has revoked the NIF');
    default:
      return { kind: 'unavailable', reason: `result ${result.slice(0, 60)}` };
  }
}
