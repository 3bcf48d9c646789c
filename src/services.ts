import type { Authenticator } from './accounts/authenticate.ts';
import type { RateLimits } from './accounts/rate-limit.ts';
import type { QrBases } from './chain/qr-url.ts';
import type { Config } from './config.ts';
import type { Db } from './db/client.ts';
import type { Renderer } from './documents/render.ts';
import type { IssueQueue } from './issuing/issue-invoice.ts';
import type { CatalogCache } from './issuing/tax-catalog-cache.ts';
import type { Logger } from './lib/logger.ts';
import type { Registers } from './recipients/registers/registers.ts';
import type { AgencyAccess } from './registration/aeat/transport.ts';

/** What one process works with; made once at start-up and handed down, never imported. */
export type Services = {
  readonly config: Config;
  readonly db: Db;
  readonly log: Logger;
  readonly authenticator: Authenticator;
  readonly catalogs: CatalogCache;
  /** The registers that recipients are checked against: the real ones for live, the simulator's for test. */
  readonly registers: { readonly test: Registers; readonly live: Registers };
  readonly issueQueue: IssueQueue;
  readonly rateLimits: RateLimits;
  readonly renderer: Renderer;
  /** Where the live chains' records are registered. */
  readonly agency: AgencyAccess;
  /** Bases of the QR check pages. */
  readonly qrBases: QrBases;
};
