import type { Limit } from '../../ground/lib/limit.ts';

/** The limits of webhooks. */
export const WEBHOOK_LIMITS = {
  webhookSecrets: {
    group: 'Webhooks',
    value: 10,
    unit: 'items',
    bounds:
      'Secrets with which an endpoint’s deliveries are signed at once: the newest, and earlier ones during their grace period.',
    reason:
      'A rotation overlaps at most with the previous one; each secret adds a signature to every delivery.',
    beyond: 'the oldest becomes invalid at once',
  },
  webhookEndpoints: {
    group: 'Webhooks',
    value: 20,
    unit: 'items',
    bounds: 'Webhook endpoints of an environment.',
    reason:
      'One for each system that receives events, in each of its stages; every event is matched with each of them.',
    beyond: '409 `webhook_endpoint_limit_reached`',
  },
  webhookAttempt: {
    group: 'Webhooks',
    value: 15_000,
    unit: 'ms',
    bounds: 'The time in which an endpoint must answer, including name resolution and connecting.',
    reason: 'A receiver that stores the event in its own queue answers within a second.',
    beyond: 'the attempt fails',
  },
  webhookAttemptsUnderWay: {
    group: 'Webhooks',
    value: 2_000,
    unit: 'items',
    bounds: 'Attempts in progress in one process at endpoints that do not answer quickly.',
    reason: 'Each holds a connection and about 20 KiB, for 15 s if an endpoint hangs.',
    beyond: 'further attempts start as others end; endpoints that answer quickly are not delayed',
  },
  webhookAttemptsOfEnvironment: {
    group: 'Webhooks',
    value: 100,
    unit: 'items',
    bounds: 'Of these, the attempts of one environment.',
    reason:
      'Five for each of its 20 endpoints, so that twenty environments with hanging endpoints leave room for others.',
    beyond: 'further attempts start as others end',
  },
  webhookAnswerTime: {
    group: 'Webhooks',
    value: 2_000,
    unit: 'ms',
    bounds: 'How long the body of an endpoint’s answer is read after its status has arrived.',
    reason: 'The status decides; the beginning of the body is only stored for debugging.',
    beyond: 'the rest is not read, and the connection is closed',
  },
  webhookAnswer: {
    group: 'Webhooks',
    value: 1_024,
    unit: 'bytes',
    bounds: 'The part of an endpoint’s answer that is stored.',
    reason: 'Enough for an error message; the receiver decides what it contains.',
    beyond: 'the rest is cut off',
  },
} as const satisfies Record<string, Limit>;
