import { AsyncLocalStorage } from 'node:async_hooks';

/** What a line of the log belongs to: a request with id and caller, or a job with id, task and chain. */
export type LogFields = Record<string, string | number>;

const storage = new AsyncLocalStorage<LogFields>();

/**
 * Runs `work` so that every line that is logged in it, at any depth, carries the fields. Fields may be added while it runs.
 * They must be neither personal nor secret, because they appear on every line.
 */
export function withLogFields<T>(fields: LogFields, work: () => T): T {
  return storage.run(fields, work);
}

/** Adds to the fields of the current work; has no effect outside of any. */
export function addLogFields(fields: LogFields): void {
  const current = storage.getStore();
  if (current !== undefined) Object.assign(current, fields);
}

/** The fields of the current work. */
export function logFields(): LogFields | undefined {
  return storage.getStore();
}
