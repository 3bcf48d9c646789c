import type { LacreClient } from '@lacre/client';
import type { ActorAndReason } from '../../../ground/journal/audit-log.ts';
import type { CommandContext, Example, Standalone } from '../command.ts';
import { flagOption, type OptionDefinition } from '../options.ts';
import { PROFILE } from './login.ts';
import { remoteOf } from './profiles.ts';
import { liveConfirmationMissing } from './request-file.ts';

type Target = { readonly profile: string | undefined } & {
  readonly [Name in 'environment' | 'company']?: string | undefined;
};
type Changing = Target & { readonly reason?: string | undefined; readonly live: boolean };

type Remotely = { readonly remote: (client: LacreClient) => Promise<unknown> };
type Reading<Local> = Remotely & {
  readonly local: (local: Local, context: CommandContext, environmentId: number) => Promise<unknown>;
};
type Change<Local> = Remotely & {
  readonly local: (
    local: Local,
    context: CommandContext,
    environmentId: number,
    by: ActorAndReason,
  ) => Promise<unknown>;
};

type Options<Name extends string> = { readonly [Each in Name]?: OptionDefinition<string | undefined> };

/** Where commands work that need only the key of a login, and may work on the database too, by `Local`. */
export type Place<Local> = {
  readonly reading: typeof PROFILE & Options<'environment' | 'company'>;
  readonly changing: Place<Local>['reading'] &
    Options<'reason'> & { readonly live: OptionDefinition<boolean> };
  /** The explanation in the help of each such command, after its own. */
  readonly readingMeaning: string;
  readonly changingMeaning: string;
  /** Those that can be run there. */
  examples(examples: readonly Example[]): readonly Example[];
  read(standalone: Standalone, target: Target, ways: Reading<Local>): Promise<unknown>;
  /** `effect` completes "This would …" when a live change is not confirmed. */
  change(standalone: Standalone, target: Changing, effect: string, ways: Change<Local>): Promise<unknown>;
};

/** Over REST, with the key of a login. */
export const OVER_REST: Place<never> = {
  reading: PROFILE,
  changing: { ...PROFILE, live: flagOption('confirms a change of live data') },
  readingMeaning: '',
  changingMeaning: ' With the key of a live environment --live is required.',
  examples: (examples) => examples.filter(([, line]) => !line.includes('--environment')),
  read: ({ profiles }, { profile }, { remote }) => remote(remoteOf(profiles, profile).client),
  async change({ profiles }, { profile, live }, effect, { remote }) {
    const target = remoteOf(profiles, profile);
    if (!live && target.profile.environment === 'live') return liveConfirmationMissing(target, effect);
    return remote(target.client);
  },
};
