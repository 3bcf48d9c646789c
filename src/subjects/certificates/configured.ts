import type { AgencyConfig } from '../../ground/config/config.ts';
import { isRefusal, type Outcome } from '../../ground/errors/refusal.ts';
import type { CertificateInUse } from './in-use.ts';
import { type ReadCertificate, readCertificate } from './read-certificate.ts';

/** The certificate of AGENCY_CERTIFICATE_FILE, read; null when there is none. Refuses as `readCertificate` does. */
export function readConfigured({ certificate }: AgencyConfig): Outcome<ReadCertificate | null> {
  if (certificate === null) return null;
  const { content, passphrase, kind } = certificate;
  const read = readCertificate({ field: 'AGENCY_CERTIFICATE_FILE', content, password: passphrase });
  if (isRefusal(read)) return read;
  return kind === null ? read : { ...read, kind };
}

/** The same, to be used. Throws, with the true cause, when the file cannot be read. */
export function configuredCertificate(agency: AgencyConfig): CertificateInUse | null {
  const read = readConfigured(agency);
  if (isRefusal(read)) throw new Error(`the client certificate in AGENCY_CERTIFICATE_FILE: ${read.detail}`);
  if (read === null) return null;
  const { kind, fingerprint, holderNif, validTo, identity } = read;
  return { kind, fingerprint, holderNif, validTo, open: () => identity };
}
