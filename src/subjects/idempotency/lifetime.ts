/** Hours that a key is kept from its first request, with the answer: docs/contract.md#idempotency. Then the job reap_idempotency_keys deletes it. */
export const KEY_HOURS = 24;

/**
 * Seconds after which a key is free again whose request has no answer yet and whose process is silent: processes send a heartbeat every second
 * (startup/lineage.ts).
 */
export const SILENT_SECONDS = 3;
