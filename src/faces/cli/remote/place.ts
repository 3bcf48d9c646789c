import type { LacreClient } from '@lacre/client';
import type { ActorAndReason } from '../../../ground/journal/audit-log.ts';
import type { CommandContext, Example, Standalone } from '../command.ts';
import { flagOption, type OptionDefinition } from '../options.ts';
import { PROFILE } from './login.ts';
import type { Given } from './operation.ts';
import { remoteOf } from './profiles.ts';
import { liveConfirmationMissing } from './request-file.ts';

/** Where a command works: what its options for that say. */
export type Target = {
  readonly [Name in 'profile' | 'environment' | 'company' | 'reason']?: string | undefined;
} & { readonly live?: boolean };

/** What a command does over REST, and what it is elsewhere. */
type Act = {
  /** Its name in the contract of REST. */
  readonly operation: string;
  readonly isRead: boolean;
  readonly given: Given;
  /** Completes "This would …" when a live change is not confirmed. */
  readonly effect: string;
  readonly remote: (client: LacreClient) => Promise<unknown>;
};

// Methods: what is given may be declared as what the operation takes.
type Ways = {
  read(context: CommandContext, environmentId: number, given: Given): Promise<unknown>;
  change(context: CommandContext, environmentId: number, given: Given, by: ActorAndReason): Promise<unknown>;
};

/** Operations on the database, which answer what REST answers; a list answers its rows. */
export type Locals = {
  readonly reads: Readonly<Record<string, Ways['read']>>;
  readonly changes: Readonly<Record<string, Ways['change']>>;
};

type Options<Name extends string> = { readonly [Each in Name]?: OptionDefinition<string | undefined> };

/** Where commands work that need only the key of a login, and may work on the database too. */
export type Place = {
  readonly reading: typeof PROFILE & Options<'environment' | 'company'>;
  readonly changing: Place['reading'] & Options<'reason'> & { readonly live: OptionDefinition<boolean> };
  /** The explanation in the help of each such command, after its own. */
  readonly readingMeaning: string;
  readonly changingMeaning: string;
  /** Whether an operation can be done there. */
  has(operation: string): boolean;
  /** Those that can be run there. */
  examples(examples: readonly Example[]): readonly Example[];
  perform(standalone: Standalone, target: Target, act: Act): Promise<unknown>;
};

const MEANING = ' It works over REST, with the key of a login ("lacre login").';

/** Over REST, with the key of a login. */
export const OVER_REST: Place = {
  reading: PROFILE,
  changing: { ...PROFILE, live: flagOption('confirms a change of live data') },
  readingMeaning: MEANING,
  changingMeaning: `${MEANING} With the key of a live environment --live is required.`,
  has: () => true,
  examples: (examples) => examples.filter(([, line]) => !line.includes('--environment')),
  async perform({ profiles }, { profile, live }, { isRead, effect, remote }) {
    const target = remoteOf(profiles, profile);
    if (!isRead && !live && target.profile.environment === 'live')
      return liveConfirmationMissing(target, effect);
    return remote(target.client);
  },
};
