import { clock } from '../../../ground/lib/clock.ts';
import { escapeXml, text, type XmlElement } from '../../../ground/lib/xml.ts';
import type { RegisterQueryResult } from './query-result.ts';
import { openSoapClient, type SoapAnswer } from './soap.ts';

/** The European Commission's register of VAT numbers (VIES, operation checkVat). */
const NAMESPACE = 'urn:ec.europa.eu:taxud:vies:services:checkVat:types';

/** A client of VIES. */
export type Vies = {
  /**
   * The answer of VIES about a VAT number with its prefix (`EL` for Greece, `XI` for Northern Ireland). Never
   * throws.
   */
  lookUp(vatId: string): Promise<RegisterQueryResult>;
  close(): void;
};

/** Opens a client of VIES; nothing is connected yet. */
export function openVies(url: string): Vies {
  const client = openSoapClient('vies', url, null);
  return {
    lookUp: async (vatId) => viesResultOf(await client.request(question(vatId), 'checkVatResponse')),
    close: () => client.close(),
  };
}

function question(vatId: string): string {
  return (
    `<types:checkVat xmlns:types="${NAMESPACE}"><types:countryCode>${escapeXml(vatId.slice(0, 2))}</types:countryCode>` +
    `<types:vatNumber>${escapeXml(vatId.slice(2))}</types:vatNumber></types:checkVat>`
  );
}

/**
 * Interprets the register's answer. Of its faults only INVALID_INPUT is about the number; the others are about the
 * service.
 */
export function viesResultOf(answer: SoapAnswer): RegisterQueryResult {
  switch (answer.kind) {
    case 'message':
      return registered(answer.message);
    case 'fault':
      return answer.text.toUpperCase().includes('INVALID_INPUT')
        ? unknown()
        : { kind: 'unavailable', reason: `fault: ${answer.text.slice(0, 200)}` };
    case 'silent':
      return { kind: 'unavailable', reason: answer.reason };
  }
}

function registered(message: XmlElement): RegisterQueryResult {
  const valid = text(message, 'valid')?.toLowerCase();
  if (valid === 'false' || valid === '0') return unknown();
  if (valid !== 'true' && valid !== '1')
    return { kind: 'unavailable', reason: 'the answer does not say valid or not' };
  const askedAt = clock.now().toISOString();
  const reference = text(message, 'requestDate');
  // The name that VIES may return is not compared (docs/contract.md#recipients), and therefore not stored either.
  const evidence = { register: 'vies', askedAt, reference, result: 'valid', registeredName: null } as const;
  return { kind: 'known', evidence };
}

function unknown(): RegisterQueryResult {
  return {
    kind: 'unknown',
    reason: 'not_registered',
    detail: 'the EU VAT register (VIES) does not know the number',
    registeredName: null,
  };
}
