import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgencyConfig } from '../../config.ts';
import type { AgencyAccess } from './transport.ts';

/** The same on every host (SistemaFacturacion.wsdl, service sfVerifactu). */
const PATH = '/wlpl/TIKE-CONT/ws/SistemaFacturacion/VerifactuSOAP';

/** A seal certificate has hosts of its own (SistemaFacturacion.wsdl, read 2026-11). */
const HOSTS = {
  production: { person: 'www1.agenciatributaria.gob.es', seal: 'www10.agenciatributaria.gob.es' },
  preproduction: { person: 'prewww1.aeat.es', seal: 'prewww10.aeat.es' },
} as const;

/** Where the registration service of the real agency answers to a certificate of that kind. */
export function registrationUrl(
  agency: 'production' | 'preproduction',
  certificate: 'person' | 'seal',
): string {
  return `https://${HOSTS[agency][certificate]}${PATH}`;
}

/**
 * The way to the configured agency: the real one with the operator's certificate, or the simulator with the one that
 * the simulator makes at its first start. Throws when the certificate is missing or cannot be read.
 */
export function agencyAccess(
  agency: AgencyConfig,
  simulator: { readonly tlsUrl: string; readonly tlsDir: string } | null,
): AgencyAccess {
  const { certificate } = agency;
  if (agency.endpoint !== 'simulator') {
    if (certificate === null) throw new Error(`the ${agency.endpoint} agency needs a client certificate`);
    const { pfx, passphrase, kind } = certificate;
    return { endpointUrl: registrationUrl(agency.endpoint, kind), pfx, passphrase, ca: null };
  }
  if (simulator === null) throw new Error('there is no simulator to talk to');
  const file = (name: string) => readFileSync(join(simulator.tlsDir, name));
  return {
    endpointUrl: new URL(PATH, simulator.tlsUrl).href,
    pfx: certificate?.pfx ?? file('client.p12'),
    passphrase: certificate?.passphrase ?? file('client-passphrase.txt').toString('utf8').trim(),
    ca: file('ca.pem'),
  };
}
