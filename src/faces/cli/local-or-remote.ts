import type { LacreClient } from '@lacre/client';
import { isRefusal, type Outcome } from '../../ground/errors/refusal.ts';
import { type ActorAndReason, readReason } from '../../ground/journal/audit-log.ts';
import { actor, type CommandContext, recordingPosition, type Standalone } from './command.ts';
import { CommandFailure } from './exit-status.ts';
import { flagOption, optionalOption } from './options.ts';
import { PROFILE } from './remote/login.ts';
import { remoteOf } from './remote/profiles.ts';
import { liveConfirmationMissing } from './remote/request-file.ts';
import { ENVIRONMENT, ENVIRONMENT_MEANING, environmentChange, resolveEnvironment } from './targets.ts';

/** Commands that work on the database if an environment is named, and otherwise over REST with the key of a login. */

export const LOCAL_OR_REMOTE = {
  ...PROFILE,
  environment: optionalOption('number|test|live', ENVIRONMENT_MEANING),
  company: ENVIRONMENT.company,
};

export const LOCAL_OR_REMOTE_CHANGE = {
  ...LOCAL_OR_REMOTE,
  reason: optionalOption('text', 'the reason; stored in the audit log, and required with --environment'),
  live: flagOption('confirms a change of live data'),
};

/** The explanation in the help of each such command. */
export const LOCAL_OR_REMOTE_MEANING =
  'With --environment it works on the database; without it over REST, with the key of a login ("lacre login").';

export const LOCAL_OR_REMOTE_CHANGE_MEANING = `${LOCAL_OR_REMOTE_MEANING} On the database --reason is required, and --live for live data in either case.`;

type Target = Readonly<Record<'profile' | 'environment' | 'company', string | undefined>>;
type Changing = Target & { readonly reason: string | undefined; readonly live: boolean };

type EitherWay = {
  readonly local: (context: CommandContext, environmentId: number) => Promise<unknown>;
  readonly remote: (client: LacreClient) => Promise<unknown>;
};

type ChangeBy = {
  readonly local: (context: CommandContext, environmentId: number, by: ActorAndReason) => Promise<unknown>;
  readonly remote: (client: LacreClient) => Promise<unknown>;
};

/** Reads from the database or over REST, by the options. */
export async function readLocalOrRemote(
  standalone: Standalone,
  { profile, environment, company }: Target,
  { local, remote }: EitherWay,
): Promise<unknown> {
  if (environment === undefined) return remote(remoteOf(standalone.profiles, profile).client);
  const context = await standalone.local();
  const id = await resolveEnvironment(context, { environment, company });
  return isRefusal(id) ? id : local(context, id);
}

/** Changes in the database or over REST, by the options. `effect` completes "This would …" when a live change is not confirmed. */
export async function changeLocalOrRemote(
  standalone: Standalone,
  { profile, environment, company, reason, live }: Changing,
  effect: string,
  { local, remote }: ChangeBy,
): Promise<unknown> {
  if (environment === undefined) {
    const remoteTarget = remoteOf(standalone.profiles, profile);
    if (!live && remoteTarget.profile.environment === 'live')
      return liveConfirmationMissing(remoteTarget, effect);
    return remote(remoteTarget.client);
  }
  const context = await standalone.local();
  const target = { environment, company };
  const change = await environmentChange(context, target, effect);
  if (isRefusal(change)) return change;
  if (change.live && !live)
    return new CommandFailure('live', `This would ${change.effect}. Nothing was done: add --live to do it.`);
  const reasonText = requireReason(reason);
  if (reasonText instanceof CommandFailure || isRefusal(reasonText)) return reasonText;
  const id = await resolveEnvironment(context, target);
  if (isRefusal(id)) return id;
  return recordingPosition(context, () => local(context, id, { actor: actor(), reason: reasonText }));
}

function requireReason(reason: string | undefined): Outcome<string> | CommandFailure {
  if (reason === undefined)
    return new CommandFailure('usage', 'on the database --reason is required: it is stored in the audit log');
  return readReason({ reason });
}
