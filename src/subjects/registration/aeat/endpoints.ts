import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PresentedCertificate } from '../../certificates/client-pool.ts';
import type { AgencyAccess } from './transport.ts';

/** The same on every host (SistemaFacturacion.wsdl, service sfVerifactu). */
const PATH = '/wlpl/TIKE-CONT/ws/SistemaFacturacion/VerifactuSOAP';

/** Seal certificates use separate hosts (SistemaFacturacion.wsdl, read 2026-11). */
const HOSTS = {
  production: { person: 'www1.agenciatributaria.gob.es', seal: 'www10.agenciatributaria.gob.es' },
  preproduction: { person: 'prewww1.aeat.es', seal: 'prewww10.aeat.es' },
} as const;

/** The address of the real agency's registration service for that kind of certificate. */
export function registrationUrl(
  agency: 'production' | 'preproduction',
  certificate: 'person' | 'seal',
): string {
  return `https://${HOSTS[agency][certificate]}${PATH}`;
}

/** The connection parameters of the real agency with a certificate of ours. */
export function realAgency(
  agency: 'production' | 'preproduction',
  { kind, identity }: PresentedCertificate,
): AgencyAccess {
  return { endpointUrl: registrationUrl(agency, kind), ...identity, ca: null };
}

/**
 * The connection parameters of a simulator, without a certificate of ours with the one that the simulator creates
 * at its first start. Throws when the simulator's files are missing.
 */
export function simulatedAgency(
  simulator: { readonly tlsUrl: string; readonly tlsDir: string },
  presented: PresentedCertificate | null,
): AgencyAccess {
  const file = (name: string) => readFileSync(join(simulator.tlsDir, name));
  const own = () => ({
    pfx: file('client.p12'),
    passphrase: file('client-passphrase.txt').toString('utf8').trim(),
  });
  return {
    endpointUrl: new URL(PATH, simulator.tlsUrl).href,
    ...(presented?.identity ?? own()),
    ca: file('ca.pem'),
  };
}
