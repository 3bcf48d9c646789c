import { createAuthenticator } from '../accounts/authenticate.ts';
import { RateLimits } from '../accounts/rate-limit.ts';
import { qrBases } from '../chain/qr-url.ts';
import type { AgencyConfig, Config } from '../config.ts';
import type { Db } from '../db/client.ts';
import { createRenderer } from '../documents/render.ts';
import { createIssueQueue } from '../issuing/issue-invoice.ts';
import { CatalogCache } from '../issuing/tax-catalog-cache.ts';
import type { Logger } from '../lib/logger.ts';
import { registerUrls, simulatedRegisterUrls } from '../recipients/registers/endpoints.ts';
import { createRegisters, type Registers } from '../recipients/registers/registers.ts';
import { agencyAccess } from '../registration/aeat/endpoints.ts';
import type { Services } from '../services.ts';
import type { SimulatorPlace } from './simulator.ts';

/** A second thread would only take the place of issuing; a document that waits is rendered when it is asked for. */
const RENDERING_THREADS = 1;

/** Puts together what a process works with, over a migrated database. `close` ends what was opened here. */
export function assemble(parts: { config: Config; db: Db; log: Logger; simulator: SimulatorPlace }): {
  readonly services: Services;
  close(): Promise<void>;
} {
  const { config, db, log, simulator } = parts;
  const simulated = simulatedRegisters(simulator, log);
  const live = config.agency.endpoint === 'simulator' ? simulated : realRegisters(config.agency, log);
  const renderer = createRenderer({ threads: RENDERING_THREADS });
  const services: Services = {
    config,
    db,
    log,
    authenticator: createAuthenticator(db),
    catalogs: new CatalogCache(db),
    registers: { test: simulated, live },
    issueQueue: createIssueQueue({ db }),
    rateLimits: new RateLimits(db, config.validationsPerMinute),
    renderer,
    agency: agencyAccess(config.agency, simulator),
    qrBases: qrBases(config.agency.endpoint, simulator.url),
  };
  const close = async () => {
    for (const registers of new Set([simulated, live])) registers.close();
    await renderer.stop();
  };
  return { services, close };
}

function simulatedRegisters(simulator: SimulatorPlace, log: Logger): Registers {
  const urls = simulatedRegisterUrls(simulator);
  const { pfx, passphrase, ca } = agencyAccess({ endpoint: 'simulator', certificate: null }, simulator);
  const census = { url: urls.census, pfx, passphrase, ca: ca ?? undefined };
  return createRegisters({ census, vies: { url: urls.vies }, log });
}

function realRegisters({ certificate }: AgencyConfig, log: Logger): Registers {
  if (certificate === null) throw new Error('the census needs a client certificate');
  const { kind, pfx, passphrase } = certificate;
  const urls = registerUrls(kind);
  return createRegisters({ census: { url: urls.census, pfx, passphrase }, vies: { url: urls.vies }, log });
}
