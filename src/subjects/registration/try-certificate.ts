import { isCertificateAlert, isCertificateStatus } from '../../ground/lib/refused-certificate.ts';
import type { PresentedCertificate } from '../certificates/client-pool.ts';
import type { CertificateTrial } from '../certificates/manage.ts';
import type { AgencyAccess } from './aeat/transport.ts';
import { openAgencyClient } from './aeat/transport.ts';

/** An operator waits for it; the agency answers within a second or two. */
const LIMITS_OF_TRIAL = { connectMs: 5_000, answerMs: 10_000 };

/** Asks for nothing: whoever is let in is told what is missing. */
const EMPTY =
  '<?xml version="1.0" encoding="UTF-8"?><soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/"><soapenv:Header/><soapenv:Body/></soapenv:Envelope>';

/**
 * Shows a certificate to the agency, without a record: `refused` with what TLS or the agency said, `unreachable` when
 * neither of them decided, which says nothing about the certificate.
 */
export async function tryCertificate(
  accessWith: (presented: PresentedCertificate) => AgencyAccess,
  presented: PresentedCertificate,
): Promise<CertificateTrial> {
  let access: AgencyAccess;
  try {
    access = accessWith(presented);
  } catch (error) {
    // A simulator that was never started has no files.
    return { kind: 'unreachable', reason: (error as Error).message };
  }
  const client = openAgencyClient(access, LIMITS_OF_TRIAL, true);
  try {
    const answer = await client.post(EMPTY);
    if (answer.kind !== 'answer') {
      const { reason } = answer;
      return { kind: isCertificateAlert(reason) ? 'refused' : 'unreachable', reason };
    }
    const reason = `HTTP ${answer.status}`;
    return isCertificateStatus(answer.status) ? { kind: 'refused', reason } : { kind: 'accepted' };
  } finally {
    client.close();
  }
}
