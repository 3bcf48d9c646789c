import { Counter } from 'prom-client';

const OUTCOMES = ['taken', 'refused', 'unanswered'] as const;

const RECEIVED = ['recorded', 'passed_over'] as const;

const messages = new Counter({
  name: 'lacre_exchange_messages_total',
  help: 'Attempts to send invoices and statuses to the public solution, by their outcome. Unanswered: sent again later.',
  labelNames: ['outcome'],
});

const statuses = new Counter({
  name: 'lacre_exchange_statuses_total',
  help: 'Statuses of recipients received from the public solution, by whether they could be recorded.',
  labelNames: ['outcome'],
});

for (const outcome of OUTCOMES) messages.inc({ outcome }, 0);
for (const outcome of RECEIVED) statuses.inc({ outcome }, 0);

/** Counts an attempt to send a message. */
export function countMessage(outcome: (typeof OUTCOMES)[number]): void {
  messages.inc({ outcome });
}

/** Counts a received status of a recipient. */
export function countStatus(outcome: (typeof RECEIVED)[number]): void {
  statuses.inc({ outcome });
}
