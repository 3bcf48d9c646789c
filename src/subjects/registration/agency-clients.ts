import type { AgencyConfig } from '../../ground/config/config.ts';
import { clientsByCertificate, type PresentedCertificate } from '../certificates/client-pool.ts';
import type { CertificatesInUse } from '../certificates/in-use.ts';
import type { CertificateTrial } from '../certificates/manage.ts';
import { realAgency, simulatedAgency } from './aeat/endpoints.ts';
import { type AgencyClient, openAgencyClient } from './aeat/transport.ts';
import { tryCertificate } from './try-certificate.ts';

/** The clients of the agency for live chains, each with the current certificate of its company. */
export type AgencyClients = {
  /** Called before each envelope. Without a certificate the result is a client that fails with that reason. */
  clientFor(environmentId: number): Promise<AgencyClient>;
  /** Shows a certificate that is not in use to the agency (`tryCertificate`). */
  tryOut(presented: PresentedCertificate): Promise<CertificateTrial>;
  close(): void;
};

/** Opens clients of the configured agency on demand. */
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
    tryOut: (presented) =>
      tryCertificate(
        (own) => (agency === 'simulator' ? simulatedAgency(simulator, own) : realAgency(agency, own)),
        presented,
      ),
    close: () => clients.close(),
  };
}

function unavailableClient(reason: string): AgencyClient {
  return { post: async () => ({ kind: 'not_sent', reason }), close: () => {} };
}
