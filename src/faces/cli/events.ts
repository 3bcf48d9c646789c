import type { Command } from 'commander';
import { firstOf } from '../../ground/db/listed.ts';
import { invalidField, isRefusal } from '../../ground/errors/refusal.ts';
import { EVENT_TYPES } from '../../ground/journal/entry.ts';
import { listEvents } from '../../subjects/events/read.ts';
import { type CliRuntime, commandGroup } from './command.ts';
import { queryCommand } from './database-command.ts';
import { choiceOption, instantOption, integerOption, optionalOption } from './options.ts';
import { remoteEvents } from './remote/events.ts';
import { ENVIRONMENT, resolveEnvironment } from './targets.ts';

export function events(program: Command, runtime: CliRuntime): void {
  const group = commandGroup(program, 'events', 'changes in an environment, in order');
  queryCommand(group, runtime, {
    name: 'list',
    description: 'lists events, newest first, or in order after a sequence',
    parameters: {
      ...ENVIRONMENT,
      type: choiceOption(EVENT_TYPES, 'only those of this type'),
      afterSequence: optionalOption('number', 'only those with a higher sequence'),
      from: instantOption('only those from this time on'),
      to: instantOption('only those before this time'),
      limit: integerOption('the maximum number', { max: 1_000, standard: 50 }),
      after: optionalOption('evt_…', 'continue after this one'),
    },
    examples: [
      ['The latest events of an environment', 'events list --environment $ENVIRONMENT --limit 10'],
      [
        'All events from the first on',
        'events list --company $COMPANY --environment test --after-sequence 0',
      ],
    ],
    async run(context, values) {
      const { type, afterSequence, from = null, to = null, limit: first, after = null } = values;
      if (afterSequence !== undefined && !/^\d{1,9}$/.test(afterSequence))
        return invalidField('afterSequence', 'invalid_value', 'must be a whole number');
      const environmentId = await resolveEnvironment(context, values);
      if (isRefusal(environmentId)) return environmentId;
      const retention = { db: context.db, keptDays: context.config.eventsKeptDays };
      const list = listEvents(retention, environmentId, {
        ...{ types: type === undefined ? [] : [type], order: null },
        afterSequence: afterSequence === undefined ? null : Number(afterSequence),
        ...{ createdFrom: from, createdTo: to },
      });
      const found = await list.page(firstOf(first, after));
      if (isRefusal(found)) return found;
      const rows = found.rows.map(({ sequence, type: name, subjectId, createdAt, id }) => ({
        ...{ sequence, type: name, subjectId, createdAt, id },
      }));
      return { events: rows, hasMore: found.hasMore };
    },
  });
  remoteEvents(group, runtime);
}
