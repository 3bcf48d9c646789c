import { AsyncLocalStorage } from 'node:async_hooks';

/** Whose work a line of the log tells of: of a request its id and caller, of a job its id, task and chain. */
export type LogFields = Record<string, string | number>;

const storage = new AsyncLocalStorage<LogFields>();

/**
 * Runs `work` so that every line that is logged in it, however deep, carries the fields. They may be added to while it
 * runs. Never of a person, and never secret: they stand on every line.
 */
export function withLogFields<T>(fields: LogFields, work: () => T): T {
  return storage.run(fields, work);
}

/** Adds to the fields of whatever is running; outside of any it does nothing. */
export function addLogFields(fields: LogFields): void {
  const current = storage.getStore();
  if (current !== undefined) Object.assign(current, fields);
}

/** The fields of whatever is running. */
export function logFields(): LogFields | undefined {
  return storage.getStore();
}
