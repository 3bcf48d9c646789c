import type { Config } from '../../../ground/config/config.ts';
import { isSpanishNif } from '../../../subjects/tax-ids/spanish-nif.ts';
import { type Finding, failure, ok, warning } from './finding.ts';

/** The line that the tests run on; it has the types stripped by itself and is maintained until April 2028. */
const NODE = 24;

export function nodeVersion(version: string): Finding {
  const major = Number(version.split('.')[0]);
  if (major === NODE) return ok('Node', version);
  const remediation = 'start through npm (npm start, npm run …), which uses its own Node';
  return major > NODE
    ? warning('Node', `${version}; the tests run on ${NODE}`, remediation)
    : failure('Node', `${version} is older than ${NODE}`, remediation);
}

/** What is set well enough to start, and yet not as it should be. */
export function settings(config: Config): Finding[] {
  const shared = config.databaseUrl !== null;
  const findings: Finding[] = [];
  if (shared && config.agency.endpoint === 'simulator') {
    findings.push(
      warning(
        'configuration',
        'AGENCY=simulator on an external database: live invoices are not registered',
        'set AGENCY to production (or preproduction)',
      ),
    );
  }
  if (shared && config.certificateKeys[0]?.name.startsWith('generated-')) {
    findings.push(
      warning(
        'configuration',
        `certificates are encrypted with a key that exists only in ${config.dataDir}`,
        'set CERTIFICATE_KEYS (name:base64 of 32 bytes) to the same for all processes, and keep a copy',
      ),
    );
  }
  const sound = findings.length > 0 ? findings : [ok('configuration', `agency ${config.agency.endpoint}`)];
  // Not every installation sends from here.
  return shared && config.mail === null ? [...sound, NO_MAIL] : sound;
}

const NO_MAIL = ok('e-mail', 'no SMTP_URL is set: sending an invoice is refused with email_not_available');

/** The producer's name when none is configured (config.ts). */
const DEMO_PRODUCER = 'B00000000';

/** The software that every record names (Orden HAC/1177/2024 art. 15.1). */
export function softwareBlock({ software, agency }: Config): Finding {
  const { producerName, producerNif, name, id, version } = software;
  const summary = `${name} (${id}) ${version} by ${producerName}, ${producerNif}`;
  const remediation =
    'set SOFTWARE_PRODUCER_NAME and SOFTWARE_PRODUCER_NIF to the producer of the declaration';
  if (!isSpanishNif(producerNif))
    return failure('software', `${producerNif} is not a valid NIF`, remediation);
  if (producerNif !== DEMO_PRODUCER || agency.endpoint === 'simulator') return ok('software', summary);
  const demo = `${summary}: that is the demo's producer, which the agency does not know`;
  return agency.endpoint === 'production'
    ? failure('software', demo, remediation)
    : warning('software', demo, remediation);
}
