import { simulatedAgency as accessTo } from '../../../src/subjects/registration/aeat/endpoints.ts';
import type { AgencyAccess } from '../../../src/subjects/registration/aeat/transport.ts';
import { testSimulator } from './simulator.ts';

/** A record as the simulator received it. */
type Received = {
  readonly number: string;
  readonly kind: 'alta' | 'anulacion';
  readonly link: string;
  readonly state: string;
  readonly incident: boolean;
  readonly request_id: string;
  readonly csv: string | null;
  readonly xml: string;
};

export type SimulatedAgency = {
  readonly url: string;
  readonly tlsUrl: string;
  /** Where the client's certificate lies. */
  readonly tlsDir: string;
  readonly access: AgencyAccess;
  /** Sets how the service behaves from now on. */
  control(settings: Record<string, unknown>): Promise<void>;
  /** All that it received of an issuer, oldest first. */
  received(nif: string): Promise<Received[]>;
  stop(): Promise<void>;
};

/** The simulator as a worker of registration sees it, and as a test looks into it. */
export async function simulatedAgency(): Promise<SimulatedAgency> {
  const simulator = await testSimulator();
  return {
    ...{ url: simulator.url, tlsUrl: simulator.tlsUrl },
    tlsDir: simulator.tlsDir,
    access: accessTo(simulator, null),
    async control(settings) {
      const response = await simulator.control(settings);
      if (!response.ok) throw new Error(await response.text());
    },
    async received(nif) {
      const records: Received[] = [];
      for (let next: string | null = `/records.json?nif=${nif}`; next !== null; ) {
        const page = (await (await fetch(`${simulator.url}${next}`)).json()) as {
          records: Received[];
          next: string | null;
        };
        records.push(...page.records);
        next = page.next;
      }
      return records.reverse();
    },
    stop: () => simulator.stop(),
  };
}
