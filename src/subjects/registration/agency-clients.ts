import type { AgencyConfig } from '../../ground/config/config.ts';
import { clientsByCertificate } from '../certificates/client-pool.ts';
import type { CertificatesInUse } from '../certificates/in-use.ts';
import { realAgency, simulatedAgency } from './aeat/endpoints.ts';
import { type AgencyClient, openAgencyClient } from './aeat/transport.ts';

/** The ways to the agency of live chains, each with the certificate that is its company's at that moment. */
export type AgencyClients = {
  /** To be asked for before each envelope. A client on which nothing can be sent, for want of a certificate, says so. */
  clientFor(environmentId: number): Promise<AgencyClient>;
  close(): void;
};

/** Opens the ways to the configured agency as they are asked for. */
export function agencyClients(
  certificates: CertificatesInUse,
  agency: AgencyConfig['endpoint'],
  simulator: { readonly tlsUrl: string; readonly tlsDir: string },
): AgencyClients {
  const clients = clientsByCertificate(
    certificates,
    (presented) => {
      if (agency === 'simulator') return openAgencyClient(simulatedAgency(simulator, presented));
      return presented === null ? null : openAgencyClient(realAgency(agency, presented));
    },
    { freshMs: 0 },
  );
  return {
    async clientFor(environmentId) {
      const client = await clients.clientFor(environmentId);
      return typeof client === 'string' ? unavailableClient(client) : client;
    },
    close: () => clients.close(),
  };
}

function unavailableClient(reason: string): AgencyClient {
  return { post: async () => ({ kind: 'not_sent', reason }), close: () => {} };
}
