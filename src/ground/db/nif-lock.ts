/**
 * SQL that locks a NIF until the transaction ends: nobody else creates a company or a series of it, or imports
 * invoices that a series of it could number. It comes after the lock on an environment and before that on a chain.
 */
export function nifLock(nif: string): string {
  return `pg_advisory_xact_lock(hashtextextended('company of ' || ${nif}, 0))`;
}
