import { isFault, readSoap, SoapFault, soapAnswer } from './soap.ts';
import { isEuVat, isEuVatPrefix, vatOutcome } from './tax-ids.ts';
import { timestampAt } from './time.ts';
import { escaped, textAt } from './xml.ts';

const TYPES = 'urn:ec.europa.eu:taxud:vies:services:checkVat:types';

/** checkVat of the EU's VAT register: the answer or a fault, whose text is one of the register's own words. */
export function vies(bytes: Buffer, now: Date): string | SoapFault {
  const request = readSoap(bytes);
  if (isFault(request)) return new SoapFault('Client', 'INVALID_INPUT');
  const { body } = request;
  const country = textAt(body, 'countryCode') ?? '';
  const number = textAt(body, 'vatNumber') ?? '';
  const isQuestion = body.name === 'checkVat' && body.namespace === TYPES;
  const known = isEuVatPrefix(country) || country === 'ES';
  if (!isQuestion || !known || !/^[0-9A-Za-z+*.]{2,12}$/.test(number)) {
    return new SoapFault('Server', 'INVALID_INPUT');
  }
  const outcome = vatOutcome(number);
  if (outcome === 'unavailable') return new SoapFault('Server', 'MS_UNAVAILABLE');
  const valid = outcome === 'registered' && (country === 'ES' || isEuVat(country, number));
  return soapAnswer(
    `<ns2:checkVatResponse xmlns:ns2="${TYPES}"><ns2:countryCode>${country}</ns2:countryCode>` +
      `<ns2:vatNumber>${escaped(number)}</ns2:vatNumber><ns2:requestDate>${requestDate(now)}</ns2:requestDate>` +
      `<ns2:valid>${valid}</ns2:valid><ns2:name>---</ns2:name><ns2:address>---</ns2:address></ns2:checkVatResponse>`,
  );
}

/** An xsd:date with its offset, `2026-07-01+02:00`. */
function requestDate(now: Date): string {
  const timestamp = timestampAt(now);
  return timestamp.slice(0, 10) + timestamp.slice(19);
}
