import { LRUCache } from 'lru-cache';
import type { Db } from '../../ground/db/client.ts';
import type { TaxCatalog } from './catalog.ts';
import { loadTaxCatalog } from './store/read-catalog.ts';

/** Catalogs are small; a process that serves more companies than this reads some of them again. */
const MAX_CATALOGS = 2_000;

/**
 * Caches the catalogs of the companies that are issuing. Never stale: the version is read with every request's key.
 */
export class CatalogCache {
  readonly #db: Pick<Db, 'pool'>;
  readonly #catalogs = new LRUCache<string, Promise<TaxCatalog>>({ max: MAX_CATALOGS });

  constructor(db: Pick<Db, 'pool'>) {
    this.#db = db;
  }

  /** The catalog of the company as it was when the scope was read, or newer. */
  async of(scope: { readonly companyId: string; readonly catalogVersion: number }): Promise<TaxCatalog> {
    const key = `${scope.companyId}/${scope.catalogVersion}`;
    let catalog = this.#catalogs.get(key);
    if (catalog === undefined) {
      catalog = loadTaxCatalog(this.#db, scope.companyId);
      this.#catalogs.set(key, catalog);
      catalog.catch(() => this.#catalogs.delete(key));
    }
    return catalog;
  }
}
