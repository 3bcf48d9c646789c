import { isRefusal, type Outcome } from '../../ground/errors/refusal.ts';
import { readReason } from '../../ground/journal/audit-log.ts';
import { actor, recordingPosition } from './database-command.ts';
import { CommandFailure } from './exit-status.ts';
import { optionalOption } from './options.ts';
import { type Locals, OVER_REST, type Place } from './remote/place.ts';
import { ENVIRONMENT, ENVIRONMENT_MEANING, environmentChange, resolveEnvironment } from './targets.ts';

const READING = {
  ...OVER_REST.reading,
  environment: optionalOption('number|test|live', ENVIRONMENT_MEANING),
  company: ENVIRONMENT.company,
};

const MEANING =
  ' With --environment it works on the database; without it over REST, with the key of a login ("lacre login").';

/** On the database if an environment is named, and otherwise over REST with the key of a login. */
export function localOrRemote({ reads, changes }: Locals): Place {
  return {
    reading: READING,
    changing: {
      ...READING,
      reason: optionalOption('text', 'the reason; stored in the audit log, and required with --environment'),
      live: OVER_REST.changing.live,
    },
    readingMeaning: MEANING,
    changingMeaning: `${MEANING} On the database --reason is required, and --live for live data in either case.`,
    has: (operation) => operation in reads || operation in changes,
    examples: (examples) => examples,
    async perform(standalone, target, act) {
      const { environment, company, reason, live } = target;
      if (environment === undefined) return OVER_REST.perform(standalone, target, act);
      const context = await standalone.local();
      const named = { environment, company };
      const id = await resolveEnvironment(context, named);
      if (isRefusal(id)) return id;
      const read = reads[act.operation];
      if (read !== undefined) return read(context, id, act.given);
      const change = await environmentChange(context, named, act.effect);
      if (isRefusal(change)) return change;
      if (change.live && !live)
        return new CommandFailure(
          'live',
          `This would ${change.effect}. Nothing was done: add --live to do it.`,
        );
      const reasonText = requireReason(reason);
      if (reasonText instanceof CommandFailure || isRefusal(reasonText)) return reasonText;
      const by = { actor: actor(), reason: reasonText };
      return recordingPosition(context, () => changes[act.operation]!(context, id, act.given, by));
    },
  };
}

function requireReason(reason: string | undefined): Outcome<string> | CommandFailure {
  if (reason === undefined)
    return new CommandFailure('usage', 'on the database --reason is required: it is stored in the audit log');
  return readReason({ reason });
}
