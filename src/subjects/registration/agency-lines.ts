import type { AgencyConfig } from '../../ground/config/config.ts';
import type { CertificatesInUse } from '../certificates/in-use.ts';
import { linesByCertificate } from '../certificates/lines.ts';
import { realAgency, simulatedAgency } from './aeat/endpoints.ts';
import { type AgencyLine, openAgencyLine } from './aeat/transport.ts';

/** The ways to the agency of live chains, each with the certificate that is its company's at that moment. */
export type AgencyLines = {
  /** To be asked for before each envelope. A line on which nothing can be sent, for want of a certificate, says so. */
  lineFor(environmentId: number): Promise<AgencyLine>;
  close(): void;
};

/** Opens the ways to the configured agency as they are asked for. */
export function agencyLines(
  certificates: CertificatesInUse,
  agency: AgencyConfig['endpoint'],
  simulator: { readonly tlsUrl: string; readonly tlsDir: string },
): AgencyLines {
  const lines = linesByCertificate(
    certificates,
    (presented) => {
      if (agency === 'simulator') return openAgencyLine(simulatedAgency(simulator, presented));
      return presented === null ? null : openAgencyLine(realAgency(agency, presented));
    },
    { freshMs: 0 },
  );
  return {
    async lineFor(environmentId) {
      const line = await lines.lineFor(environmentId);
      return typeof line === 'string' ? deadLine(line) : line;
    },
    close: () => lines.close(),
  };
}

function deadLine(reason: string): AgencyLine {
  return { post: async () => ({ kind: 'not_sent', reason }), close: () => {} };
}
