import { LRUCache } from 'lru-cache';
import type { Caller } from '../accounts/authenticate.ts';
import type { Db } from '../db/client.ts';
import type { TaxCatalog } from './tax-catalog.ts';
import { loadTaxCatalog } from './tax-catalog-store.ts';

/** Catalogs are small; a process that serves more companies than this reads some of them again. */
const MOST_CATALOGS = 2_000;

/** The catalogs of the companies that are issuing now. Never stale: the version is read with every request's key. */
export class CatalogCache {
  readonly #db: Db;
  readonly #catalogs = new LRUCache<string, Promise<TaxCatalog>>({ max: MOST_CATALOGS });

  constructor(db: Db) {
    this.#db = db;
  }

  /** The catalog of the caller's company as it was when the caller was authenticated, or newer. */
  async of(caller: Caller): Promise<TaxCatalog> {
    const key = `${caller.companyId}/${caller.catalogVersion}`;
    let catalog = this.#catalogs.get(key);
    if (catalog === undefined) {
      catalog = loadTaxCatalog(this.#db, caller.companyId);
      this.#catalogs.set(key, catalog);
      catalog.catch(() => this.#catalogs.delete(key));
    }
    return catalog;
  }
}
