import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  XmlBufferInputProvider,
  XmlDocument,
  type XmlElement,
  XsdValidator,
  xmlCleanupInputProvider,
  xmlRegisterInputProvider,
} from 'libxml2-wasm';
import type { Config, SoftwareConfig } from '../../../ground/config/config.ts';
import { madridDay } from '../../../ground/lib/calendar.ts';
import { clock } from '../../../ground/lib/clock.ts';
import { prepareRegistration } from '../../../subjects/chain/record-xml.ts';
import { registrationEnvelope } from '../../../subjects/registration/aeat/envelope.ts';
import { type Finding, failure, ok, reasonOf } from './finding.ts';

/** Under this address the schemas import that of signatures; nothing is fetched from there. */
const SIGNATURES = 'http://www.w3.org/TR/xmldsig-core/xmldsig-core-schema.xsd';

/** Holds a record, as this program writes it with these settings, against the agency's schemas. */
export function recordAgainstSchemas({ agencySchemas, software }: Config): Finding {
  if (agencySchemas === null) return ok('schemas', 'not checked: AEAT_SCHEMAS is not set');
  const remediation = 'set AEAT_SCHEMAS to a folder with the agency’s current schema files';
  let validator: XsdValidator;
  try {
    validator = validatorIn(agencySchemas);
  } catch (error) {
    return failure('schemas', `those in ${agencySchemas} cannot be read: ${reasonOf(error)}`, remediation);
  }
  const document = XmlDocument.fromString(envelopeWith(software));
  try {
    const soap = { soap: 'http://schemas.xmlsoap.org/soap/envelope/' };
    validator.validate(document.get('/soap:Envelope/soap:Body/*', soap) as XmlElement);
    return ok('schemas', 'a record of this version and these settings is valid');
  } catch (error) {
    const summary = `a record of this version is not valid: ${reasonOf(error).replaceAll(/\{[^}]*\}/g, '')}`;
    return failure(
      'schemas',
      summary,
      'check the SOFTWARE_… settings; otherwise this version must be updated',
    );
  } finally {
    document.dispose();
    validator.dispose();
  }
}

function validatorIn(folder: string): XsdValidator {
  const file = (name: string) => readFileSync(join(folder, name));
  const provider = new XmlBufferInputProvider({
    'SuministroInformacion.xsd': file('SuministroInformacion.xsd'),
    [SIGNATURES]: file('xmldsig-core-schema.xsd'),
  });
  // libxml2 has room for some fifteen providers in a process, and keeps the first: those of before have done their work.
  xmlCleanupInputProvider();
  xmlRegisterInputProvider(provider);
  const schema = XmlDocument.fromBuffer(file('SuministroLR.xsd'), { url: 'SuministroLR.xsd' });
  try {
    return XsdValidator.fromDoc(schema);
  } finally {
    schema.dispose();
  }
}

function envelopeWith(software: SoftwareConfig): string {
  const issuer = { nif: software.producerNif, name: software.producerName };
  const generatedAt = clock.now();
  const record = prepareRegistration({
    issuer,
    reference: 'inv_doctor',
    invoiceType: 'F1',
    amendment: null,
    rectification: null,
    exchanged: [],
    operationOn: null,
    description: 'Comprobación',
    qualifiedSimplified: false,
    recipientUnidentified: false,
    issuedBy: null,
    recipient: { name: issuer.name, identity: { nif: issuer.nif } },
    breakdown: [
      {
        ...{ agencyTax: '01', regimeKey: '01', operationClass: 'S1', exemption: null },
        ...{ rate: 2_100, base: 10_000, tax: 2_100, surchargeRate: null, surcharge: null },
      },
    ],
    total: 12_100,
    software: { ...software, installationNumber: 'doctor', severalBillings: false },
  }).seal(
    { number: 'F-1', issuedOn: madridDay(generatedAt) },
    { previous: null, generatedAt, timeZone: 'Europe/Madrid' },
  );
  return registrationEnvelope({ nif: issuer.nif, legalName: issuer.name }, [record.xml], false);
}
