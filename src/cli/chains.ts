import type { WhoAndWhy } from '../db/audit-log.ts';
import { park, pause, resume, retry, unpark } from '../operations/controls.ts';
import { checkAfterRestore, openNewInstallation } from '../operations/installation.ts';
import { chainHealth, parkedRecords } from '../operations/views.ts';
import { actor, type Command, readOptions, required, UsageError } from './command.ts';

/** Enough for a screen or two; whoever wants all asks the views of the schema `ops`. */
const SHOWN = 200;

/** Whoever sits at the command line has no key of ours: the system's name for them is kept. */
function actOf(reason: string | undefined): WhoAndWhy {
  return { actor: actor(), reason: required(reason, '--reason') };
}

function numberOf(text: string | undefined, what: string): number {
  const number = Number(required(text, what));
  if (!Number.isSafeInteger(number) || number < 1) throw new UsageError(`${what} must be a whole number`);
  return number;
}

function onChain(work: typeof retry): Command {
  return {
    usage: '<chain number> --reason <text>',
    async run(db, args) {
      const { options, rest } = readOptions(args, ['reason']);
      return work(db, numberOf(rest[0], 'the number of the chain'), actOf(options.reason));
    },
  };
}

function onRecord(work: typeof park): Command {
  return {
    usage: '<rec_…> --reason <text>',
    async run(db, args) {
      const { options, rest } = readOptions(args, ['reason']);
      return work(db, required(rest[0], 'the id of the record'), actOf(options.reason));
    },
  };
}

/** Chains and their records, as far as operators may put their hand to them. */
export const chains: Record<string, Command> = {
  list: {
    usage: '[--troubled true]',
    async run(db, args) {
      const { options } = readOptions(args, ['troubled']);
      return chainHealth(db.pool, { troubled: options.troubled === 'true', limit: SHOWN });
    },
  },
  parked: {
    usage: '',
    async run(db, args) {
      readOptions(args, []);
      return parkedRecords(db.pool, SHOWN);
    },
  },
  retry: onChain(retry),
  pause: onChain(pause),
  resume: onChain(resume),
  park: onRecord(park),
  unpark: onRecord(unpark),
  'check-after-restore': {
    usage: '--reason <text>',
    async run(db, args) {
      const { options } = readOptions(args, ['reason']);
      const held = await checkAfterRestore(db, actOf(options.reason));
      return typeof held === 'number' ? { held } : held;
    },
  },
  'open-installation': {
    usage: '<environment number> --reason <text>',
    async run(db, args) {
      const { options, rest } = readOptions(args, ['reason']);
      return openNewInstallation(
        db,
        numberOf(rest[0], 'the number of the environment'),
        actOf(options.reason),
      );
    },
  },
};
