import type { Config } from './ground/config/config.ts';
import type { Db } from './ground/db/client.ts';
import type { Standby } from './ground/db/standby/standby.ts';
import type { EncryptionKeys } from './ground/lib/encryption.ts';
import type { EventLoopScheduler } from './ground/lib/event-loop-scheduler.ts';
import type { EventStreams } from './ground/lib/event-streams.ts';
import type { FairSemaphore } from './ground/lib/fair-semaphore.ts';
import type { LinkSecrets } from './ground/lib/keyring.ts';
import type { Logger } from './ground/lib/logger.ts';
import type { SlowLane } from './ground/lib/slow-lane.ts';
import type { UnreadAnswers } from './ground/lib/unread-answers.ts';
import type { Authenticator } from './subjects/accounts/entry/authenticate.ts';
import type { FailedAttempts } from './subjects/accounts/entry/failed-attempts.ts';
import type { IdentityProvider } from './subjects/accounts/entry/identity-provider.ts';
import type { RateLimits } from './subjects/accounts/entry/rate-limit.ts';
import type { Shares } from './subjects/accounts/entry/shares.ts';
import type { CertificatesInUse } from './subjects/certificates/in-use.ts';
import type { Vault } from './subjects/certificates/vault.ts';
import type { QrBases } from './subjects/chain/qr-url.ts';
import type { ObjectStore } from './subjects/documents/object-store.ts';
import type { Renderer } from './subjects/documents/render.ts';
import type { Mailer } from './subjects/emails/mailer.ts';
import type { EventObjects } from './subjects/events/event.ts';
import type { EventFeed } from './subjects/events/feed.ts';
import type { InvoiceReader, NewestReader, PageReader } from './subjects/invoices/reader.ts';
import type { IssueQueue } from './subjects/issuing/issue-invoice.ts';
import type { CheckpointPlaces } from './subjects/journal/keep-checkpoints.ts';
import type { Registers } from './subjects/recipients/registers/registers.ts';
import type { AgencyClients } from './subjects/registration/agency-clients.ts';
import type { CatalogCache } from './subjects/taxes/catalog-cache.ts';

/** Limits of concurrent expensive work in the process; waiting callers take turns by environment. */
export type Semaphores = {
  /** Large reads, by their values. */
  readonly reading: FairSemaphore;
  /** Lists without a supporting index. */
  readonly searching: FairSemaphore;
  /** Batches being stored. */
  readonly batches: FairSemaphore;
  /** Verifications with a waiting client. */
  readonly verifying: FairSemaphore;
  /** Exports being sent. */
  readonly exports: FairSemaphore;
  /** Documents rendered for exports. */
  readonly exporting: FairSemaphore;
  /** Register books, each for as long as it is read. */
  readonly books: FairSemaphore;
};

/** The dependencies of one process; created at start-up and passed as parameters, never imported. */
export type Services = {
  readonly config: Config;
  readonly db: Db;
  /** The standby for large reads; null without one. */
  readonly standby: Standby | null;
  readonly log: Logger;
  readonly authenticator: Authenticator;
  /** Says who operators are; null: they have keys alone. */
  readonly identityProvider: IdentityProvider | null;
  /** Failed attempts with keys, links and sessions, by address. */
  readonly attempts: FailedAttempts;
  readonly slowLane: SlowLane;
  readonly catalogs: CatalogCache;
  /** The registers that recipients are checked against: the real ones for live, the simulator's for test. */
  readonly registers: { readonly test: Registers; readonly live: Registers };
  readonly issueQueue: IssueQueue;
  readonly readInvoice: InvoiceReader;
  readonly readInvoicePage: PageReader;
  readonly readNewest: NewestReader;
  readonly rateLimits: RateLimits;
  readonly semaphores: Semaphores;
  readonly unread: UnreadAnswers;
  readonly shares: Shares;
  readonly eventLoop: EventLoopScheduler;
  readonly renderer: Renderer;
  /** Null: no e-mail is sent. */
  readonly mailer: Mailer | null;
  /** Null: documents are stored in Postgres only. */
  readonly objectStore: ObjectStore | null;
  /** The signer of the journals' checkpoints, and the places where they are stored. */
  readonly checkpoints: CheckpointPlaces;
  /** The clients with which the live chains' records are registered. */
  readonly agencyClients: AgencyClients;
  /** The encryption of stored client certificates. */
  readonly vault: Vault;
  /** Sign links and access tokens. */
  readonly linkSecrets: LinkSecrets;
  /** Encrypt certificates and signing secrets. */
  readonly encryptionKeys: EncryptionKeys;
  /** The selection of certificates. */
  readonly certificates: CertificatesInUse;
  /** Where the simulator's pages answer to this process. */
  readonly simulatorUrl: string;
  /** Builds the payloads of events. */
  readonly eventObjects: EventObjects;
  /** Announces new events as they happen. */
  readonly feed: EventFeed;
  /** The subscribers on open connections. */
  readonly streams: EventStreams;
  /** Bases of the QR check pages. */
  readonly qrBases: QrBases;
};
