import { answeredName, censusResult } from './registers.ts';
import { isFault, readSoap, SoapFault, soapAnswer } from './soap.ts';
import { childrenOf, escaped, textAt, type XmlElement } from './xml.ts';

const BASE =
  'http://www2.agenciatributaria.gob.es/static_files/common/internet/dep/aplicaciones/es/aeat/burt/jdit/ws';
const REQUEST = `${BASE}/VNifV2Ent.xsd`;
const ANSWER = `${BASE}/VNifV2Sal.xsd`;

/** Most people in one request, as the service's schema has it. */
const MOST = 10_000;

/**
 * VNifV2, the census check of a NIF with its name: the content of the answer, a fault, or null when one of the names
 * makes the census fall silent.
 */
export function census(bytes: Buffer): string | SoapFault | null {
  const request = readSoap(bytes);
  if (isFault(request)) return request;
  const { body } = request;
  const people = childrenOf(body, 'Contribuyente');
  const foreign = body.name !== 'VNifV2Ent' || body.namespace !== REQUEST;
  if (foreign || people.length === 0 || people.length !== body.children.length || people.length > MOST) {
    return new SoapFault('Client', `El XML no cumple el esquema: VNifV2Ent con 1 a ${MOST} Contribuyente`);
  }
  const answers: string[] = [];
  for (const person of people) {
    const answer = answerOf(person);
    if (answer === null || isFault(answer)) return answer;
    answers.push(answer);
  }
  return soapAnswer(
    `<VNifV2Sal:VNifV2Sal xmlns:VNifV2Sal="${ANSWER}">${answers.join('')}</VNifV2Sal:VNifV2Sal>`,
  );
}

function answerOf(person: XmlElement): string | SoapFault | null {
  const nif = textAt(person, 'Nif');
  const name = textAt(person, 'Nombre');
  if (nif === null || name === null)
    return new SoapFault('Client', 'El XML no cumple el esquema: Nif y Nombre');
  const result = censusResult(nif, name);
  if (result === null) return null;
  return (
    `<VNifV2Sal:Contribuyente><VNifV2Sal:Nif>${escaped(nif)}</VNifV2Sal:Nif>` +
    `<VNifV2Sal:Nombre>${escaped(answeredName(name, result))}</VNifV2Sal:Nombre>` +
    `<VNifV2Sal:Resultado>${result}</VNifV2Sal:Resultado></VNifV2Sal:Contribuyente>`
  );
}
