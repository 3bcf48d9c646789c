/** Web service VNifV2 of the agency's census; the agency publishes no specification, clients agree on it (2026-11). */
const CENSUS_PATH = '/wlpl/BURT-JDIT/ws/VNifV2SOAP';
/** A seal certificate has a host of its own, as at the registration service. There is no test census. */
const CENSUS_HOSTS = { person: 'www1.agenciatributaria.gob.es', seal: 'www10.agenciatributaria.gob.es' };

/** The Commission's checkVatService.wsdl (read 2026-11). */
const VIES_PATH = '/taxation_customs/vies/services/checkVatService';
const VIES_HOST = 'ec.europa.eu';

/** The addresses of the real registers; the census's depends on the kind of certificate. */
export function registerUrls(certificate: 'person' | 'seal'): { census: string; vies: string } {
  return {
    census: `https://${CENSUS_HOSTS[certificate]}${CENSUS_PATH}`,
    vies: `https://${VIES_HOST}${VIES_PATH}`,
  };
}

/** The addresses when a simulator replaces them. */
export function simulatedRegisterUrls(simulator: { url: string; tlsUrl: string }): {
  census: string;
  vies: string;
} {
  return {
    census: new URL(CENSUS_PATH, simulator.tlsUrl).href,
    vies: new URL(VIES_PATH, simulator.url).href,
  };
}
