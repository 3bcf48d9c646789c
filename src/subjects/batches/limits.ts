import type { Limit } from '../../ground/lib/limit.ts';

/** The limits of batches. */
export const BATCH_LIMITS = {
  batchInvoices: {
    group: 'Requests',
    value: 1_000,
    unit: 'items',
    bounds: 'Invoices of a batch.',
    reason: 'They are issued within a few seconds, and fit into one request.',
    beyond: '400 `invalid_request`; send the others as another batch',
  },
  batchBody: {
    group: 'Requests',
    value: 2 * 1024 * 1024,
    unit: 'bytes',
    bounds: 'The body of a request that sends a batch.',
    reason:
      'A thousand invoices of 2 KiB each, which is about ten lines. Parsing a larger body would delay other requests for longer; this one takes about 30 ms.',
    beyond: '413 `payload_too_large`',
  },
  batchBodyValues: {
    group: 'Requests',
    value: 30_000,
    unit: 'items',
    bounds: 'Objects and lists in such a body.',
    reason: 'A thousand invoices of eight lines each have about 28,000.',
    beyond: '400 `invalid_request`',
  },
  batchBodyFields: {
    group: 'Requests',
    value: 100_000,
    unit: 'items',
    bounds: 'Fields of all objects in such a body together.',
    reason: 'A thousand invoices of eight lines each have about 70,000.',
    beyond: '400 `invalid_request`',
  },
  batchesOpen: {
    group: 'Shares of an environment',
    value: 20,
    unit: 'items',
    bounds: 'Batches of an environment that are not completed yet.',
    reason: 'They run one after the other: the last of twenty full ones is issued about a minute later.',
    beyond: '429 `rate_limited`',
  },
  batchesStored: {
    group: 'Shares of an environment',
    value: 2,
    unit: 'items',
    bounds: 'Batches that a process stores at once, one for each environment. Environments take turns.',
    reason:
      'A thousand invoices take the database about 50 ms and the process 20 ms; each more at once would hold a connection to wait for the same lock.',
    beyond: 'the batch waits; 429 `rate_limited` if 20 of the environment are waiting already',
  },
  batchPatience: {
    group: 'Shares of an environment',
    value: 60 * 60 * 1_000,
    unit: 'ms',
    bounds:
      'How long a batch waits if an invoice is refused for a temporary reason (503), such as a register that does not answer.',
    reason:
      'Registers recover within minutes, and a comparison with the agency takes less; the invoices behind it wait too.',
    beyond: 'the refusal becomes the result of the invoice, and the batch continues',
  },
} as const satisfies Record<string, Limit>;
