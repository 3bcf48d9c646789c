import type { Attack } from './attack.ts';
import { laterAttacks } from './attacks/background-work.ts';
import { connectionAttacks } from './attacks/connections.ts';
import { eventAttacks } from './attacks/events.ts';
import { fileAttacks } from './attacks/files.ts';
import { keyAttacks, queryAttacks } from './attacks/queries.ts';
import { readerAttacks } from './attacks/readers.ts';
import { webhookAttacks } from './attacks/webhooks.ts';
import { workAttacks } from './attacks/work.ts';

/** Every attack, in the order in which they are run. */
export const ATTACKS: readonly Attack[] = [
  ...queryAttacks,
  ...readerAttacks,
  ...workAttacks,
  ...laterAttacks,
  ...eventAttacks,
  ...webhookAttacks,
  ...fileAttacks,
  ...connectionAttacks,
  ...keyAttacks,
];
