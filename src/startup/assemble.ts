import { createEventObjects } from '../../rest/event-objects.ts';
import { contextFactory } from '../faces/graphql/context.ts';
import { GRAPHQL_LIMITS } from '../faces/graphql/limits.ts';
import type { AgencyConfig, Config } from '../ground/config/config.ts';
import type { Db } from '../ground/db/client.ts';
import type { Standby } from '../ground/db/standby/standby.ts';
import { encryptionKeys } from '../ground/lib/encryption.ts';
import { EventLoopScheduler } from '../ground/lib/event-loop-scheduler.ts';
import { EventStreams } from '../ground/lib/event-streams.ts';
import { FairSemaphore } from '../ground/lib/fair-semaphore.ts';
import { linkSecrets } from '../ground/lib/keyring.ts';
import type { Logger } from '../ground/lib/logger.ts';
import { SlowLane } from '../ground/lib/slow-lane.ts';
import { UnreadAnswers } from '../ground/lib/unread-answers.ts';
import type { Semaphores, Services } from '../services.ts';
import { createAuthenticator } from '../subjects/accounts/entry/authenticate.ts';
import { FailedAttempts } from '../subjects/accounts/entry/failed-attempts.ts';
import { IdentityProvider } from '../subjects/accounts/entry/identity-provider.ts';
import { RateLimits } from '../subjects/accounts/entry/rate-limit.ts';
import { Shares } from '../subjects/accounts/entry/shares.ts';
import { readScope } from '../subjects/accounts/store/read-callers.ts';
import { BATCH_LIMITS } from '../subjects/batches/limits.ts';
import { clientsByCertificate, type PresentedCertificate } from '../subjects/certificates/client-pool.ts';
import { configuredCertificate } from '../subjects/certificates/configured.ts';
import { measureExpiry } from '../subjects/certificates/expiry.ts';
import { type CertificatesInUse, certificatesInUse } from '../subjects/certificates/in-use.ts';
import { Vault } from '../subjects/certificates/vault.ts';
import { qrBases } from '../subjects/chain/qr-url.ts';
import { openObjectStore } from '../subjects/documents/object-store.ts';
import { createRenderer, type Renderer } from '../subjects/documents/render.ts';
import { openMailer } from '../subjects/emails/mailer.ts';
import { EventFeed } from '../subjects/events/feed.ts';
import { EXPORT_LIMITS } from '../subjects/formats/limits.ts';
import { createInvoiceReader, createNewestReader, createPageReader } from '../subjects/invoices/reader.ts';
import { createIssueQueue } from '../subjects/issuing/issue-invoice.ts';
import { checkpointPlaces } from '../subjects/journal/keep-checkpoints.ts';
import { type CensusAccess, openCensus, singleCensus } from '../subjects/recipients/registers/census.ts';
import { registerUrls, simulatedRegisterUrls } from '../subjects/recipients/registers/endpoints.ts';
import { createRegisters, type Registers } from '../subjects/recipients/registers/registers.ts';
import { BOOK_LIMITS } from '../subjects/register-books/limits.ts';
import { simulatedAgency } from '../subjects/registration/aeat/endpoints.ts';
import { agencyClients } from '../subjects/registration/agency-clients.ts';
import { CatalogCache } from '../subjects/taxes/catalog-cache.ts';
import type { SimulatorPlace } from './simulator.ts';

/**
 * A second thread, except for a short document during a long one, would only take processor time from issuing; a
 * waiting document is rendered on request.
 */
const RENDERING_THREADS = 1;

/** Creates the dependencies of a process, on a migrated database. `close` ends what was opened here. */
export function assemble(parts: {
  config: Config;
  db: Db;
  standby?: Standby | null;
  log: Logger;
  simulator: SimulatorPlace;
  /** Smaller ones than the service's, for tests. */
  shares?: Shares | undefined;
  /** One that several services of a process share, for tests. */
  renderer?: Renderer | undefined;
}): {
  readonly services: Services;
  close(): Promise<void>;
} {
  const { config, db, standby = null, log, simulator } = parts;
  const simulated = simulatedRegisters(simulator, log);
  const keyrings = openKeyrings(config, db);
  const vault = new Vault(keyrings.encryptionKeys);
  const certificates = certificatesInUse({ db, vault }, configuredCertificate(config.agency));
  const { endpoint } = config.agency;
  const live = liveRegisters(endpoint, simulator, certificates, log);
  const agency = agencyClients(certificates, endpoint, simulator);
  const eventLoop = new EventLoopScheduler();
  const renderer = parts.renderer ?? createRenderer({ threads: RENDERING_THREADS, forShort: 1 });
  const objectStore = config.objectStore === null ? null : openObjectStore(config.objectStore);
  const readInvoice = createInvoiceReader(db);
  const services: Services = {
    eventObjects: createEventObjects(
      { db, eventLoop },
      (call) => createContext(call),
      (environmentId) => readScope(db.pool, environmentId),
    ),
    feed: new EventFeed({ db, standby, log }),
    streams: new EventStreams(),
    config,
    db,
    standby,
    log,
    authenticator: createAuthenticator(db, keyrings.linkSecrets),
    ...keyrings,
    identityProvider: openIdentityProvider(config, log),
    attempts: new FailedAttempts(),
    slowLane: new SlowLane(),
    catalogs: new CatalogCache(db),
    registers: { test: simulated, live },
    issueQueue: createIssueQueue({ db }),
    readInvoice,
    readInvoicePage: createPageReader(db, readInvoice),
    readNewest: createNewestReader(db),
    rateLimits: new RateLimits(db, config.validationsPerMinute),
    semaphores: openRooms(),
    unread: new UnreadAnswers(),
    shares: parts.shares ?? new Shares(),
    eventLoop,
    renderer,
    mailer: openMailer(config.mail),
    objectStore,
    checkpoints: checkpointPlaces(config, objectStore),
    agencyClients: agency,
    vault,
    certificates,
    simulatorUrl: simulator.url,
    qrBases: qrBases(endpoint, simulatorForOthers(config.baseUrl, simulator)),
  };
  const createContext = contextFactory(services);
  const stopMeasuring = measureExpiry(certificates, db);
  const close = async () => {
    stopMeasuring();
    services.streams.end();
    await services.feed.close();
    for (const open of [agency, simulated, live]) open.close();
    await renderer.stop();
    objectStore?.close();
  };
  return { services, close };
}

function openIdentityProvider({ identityProvider, baseUrl }: Config, log: Logger): IdentityProvider | null {
  if (identityProvider === null) return null;
  return new IdentityProvider(identityProvider, new URL(`${baseUrl}/console/callback`), log);
}

/** The secrets of the settings, which the heartbeats of this process announce from now on. */
function openKeyrings(
  { certificateKeys, linkSecrets: secrets }: Config,
  { lineage }: Db,
): Pick<Services, 'encryptionKeys' | 'linkSecrets'> {
  const keyrings = {
    encryptionKeys: encryptionKeys(certificateKeys, lineage),
    linkSecrets: linkSecrets(secrets, lineage),
  };
  for (const { marks } of Object.values(keyrings)) for (const mark of marks) lineage.knownSecrets.add(mark);
  return keyrings;
}

function openRooms(): Semaphores {
  return {
    reading: new FairSemaphore({ capacity: GRAPHQL_LIMITS.rowsAtOnce.value, maxWaiting: 20 }),
    searching: new FairSemaphore({
      capacity: GRAPHQL_LIMITS.searchesAtOnce.value,
      ofOne: GRAPHQL_LIMITS.searchesOfEnvironment.value,
      maxWaiting: 50,
    }),
    batches: new FairSemaphore({
      capacity: BATCH_LIMITS.batchesStored.value,
      ofOne: 1,
      maxWaiting: BATCH_LIMITS.batchesOpen.value,
    }),
    verifying: new FairSemaphore({ capacity: 1, maxWaiting: 3 }),
    exports: new FairSemaphore({
      capacity: EXPORT_LIMITS.exportsOpen.value,
      ofOne: EXPORT_LIMITS.exportsOfEnvironment.value,
      maxWaiting: 0,
    }),
    exporting: new FairSemaphore({
      capacity: EXPORT_LIMITS.exportingAtOnce.value,
      ofOne: 1,
      maxWaiting: EXPORT_LIMITS.exportsOfEnvironment.value,
    }),
    books: new FairSemaphore({ capacity: BOOK_LIMITS.booksAtOnce.value, ofOne: 1, maxWaiting: 2 }),
  };
}

/**
 * The address of the simulator's page for those who scan a QR code. On the service's own machine the simulator can
 * be reached directly; for others the service shows the page at its own address (rest/qr-check.ts).
 */
function simulatorForOthers(baseUrl: string, simulator: SimulatorPlace): string {
  const { hostname } = new URL(baseUrl);
  return /^(localhost|127\.[\d.]+|\[::1\])$/.test(hostname) ? simulator.url : baseUrl;
}

function simulatedRegisters(simulator: SimulatorPlace, log: Logger): Registers {
  const census = singleCensus(simulatedCensus(simulator, null));
  return createRegisters({ census, vies: { url: simulatedRegisterUrls(simulator).vies }, log });
}

function simulatedCensus(simulator: SimulatorPlace, presented: PresentedCertificate | null): CensusAccess {
  const { endpointUrl: _, ca, ...identity } = simulatedAgency(simulator, presented);
  return { url: simulatedRegisterUrls(simulator).census, ...identity, ca: ca ?? undefined };
}

/** A merchant waits for the census, so its certificate is cached. */
const CENSUS_CERTIFICATE_FRESH_MS = 5_000;

/** The census is queried with the certificate that is used for registering. */
function liveRegisters(
  endpoint: AgencyConfig['endpoint'],
  simulator: SimulatorPlace,
  certificates: CertificatesInUse,
  log: Logger,
): Registers {
  const simulated = endpoint === 'simulator';
  const census = clientsByCertificate(
    certificates,
    (presented) => {
      if (simulated) return openCensus(simulatedCensus(simulator, presented));
      if (presented === null) return null;
      return openCensus({ url: registerUrls(presented.kind).census, ...presented.identity });
    },
    { freshMs: CENSUS_CERTIFICATE_FRESH_MS },
  );
  const { vies } = simulated ? simulatedRegisterUrls(simulator) : registerUrls('person');
  return createRegisters({ census, vies: { url: vies }, log });
}
