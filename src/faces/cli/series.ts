import type { Command } from 'commander';
import { firstOf } from '../../ground/db/listed.ts';
import { parseRequest } from '../../ground/errors/issues.ts';
import { invalidField, isRefusal, type Outcome } from '../../ground/errors/refusal.ts';
import { dropSeries, makeDefault, openSeries } from '../../subjects/number-series/administer-series.ts';
import { seriesRequest } from '../../subjects/number-series/request.ts';
import { listSeries } from '../../subjects/number-series/store/read-series.ts';
import { locateResource } from '../../subjects/operations/store/read-location.ts';
import { type CliRuntime, type CommandContext, commandGroup } from './command.ts';
import { changeCommand, queryCommand } from './database-command.ts';
import {
  choiceOption,
  flagOption,
  integerOption,
  operand,
  optionalOption,
  requiredChoice,
  requiredOption,
} from './options.ts';
import { ENVIRONMENT, environmentChange, resolveEnvironment, resourceChange } from './targets.ts';

const TYPES = ['standard', 'rectifying'] as const;
const SERIES = operand('the id of the series');

export function series(program: Command, runtime: CliRuntime): void {
  const group = commandGroup(program, 'series', 'number series, from which invoices take their numbers');
  queryCommand(group, runtime, {
    name: 'list',
    description: 'lists the series of an environment, newest first',
    parameters: {
      ...ENVIRONMENT,
      type: choiceOption(TYPES, 'only those of this type'),
      limit: integerOption('the maximum number', { max: 1_000, standard: 100 }),
      after: optionalOption('ns_…', 'continue after this one'),
    },
    examples: [
      ['Those of a company’s test environment', 'series list --company $COMPANY --environment test'],
    ],
    async run(context, values) {
      const environmentId = await resolveEnvironment(context, values);
      if (isRefusal(environmentId)) return environmentId;
      const { limit: first, after = null, type = null } = values;
      const page = await listSeries(context.db.pool, environmentId, { type }).page(firstOf(first, after));
      return isRefusal(page) ? page : { series: page.rows, hasMore: page.hasMore };
    },
  });
  changeCommand(group, runtime, {
    name: 'create',
    description: 'creates a series',
    parameters: {
      ...ENVIRONMENT,
      prefix: requiredOption('text', 'the prefix of its numbers; stored in capitals, without white space'),
      type: requiredChoice(TYPES, 'the type of invoices that it numbers'),
      endless: flagOption('numbers never restart; by default they restart at 1 each year'),
    },
    examples: [
      [
        'A series for a second shop',
        'series create --environment $ENVIRONMENT --prefix TPV2 --type standard --reason "second shop"',
      ],
    ],
    preview: (context, values) => environmentChange(context, values, `create the series ${values.prefix}`),
    async run(context, values, by) {
      const { prefix, type, endless } = values;
      const request = parseRequest(seriesRequest, { prefix, type, yearly: !endless });
      if (isRefusal(request)) return request;
      const environmentId = await resolveEnvironment(context, values);
      return isRefusal(environmentId) ? environmentId : openSeries(context.db, by, environmentId, request);
    },
  });
  changeCommand(group, runtime, {
    name: 'delete',
    description: 'deletes a series that was never used',
    parameters: { series: SERIES },
    examples: [['A series created by mistake', 'series delete $SERIES --reason "created twice"']],
    preview: (context, { series: id }) => resourceChange(context, id, `delete the series ${id}`),
    run: (context, { series: id }, by) =>
      at(context, id, (environmentId) => dropSeries(context.db, by, environmentId, id)),
  });
  changeCommand(group, runtime, {
    name: 'default',
    description: 'makes a series the default series of its type',
    details:
      'Makes a series the default for ordinary invoices or rectificativas, used if a request names none. The previous default can still be named.',
    parameters: { series: SERIES },
    examples: [['A new default', 'series default $SERIES --reason "new numbering"']],
    preview: (context, { series: id }) => resourceChange(context, id, `make ${id} the default series`),
    run: (context, { series: id }, by) =>
      at(context, id, (environmentId) => makeDefault(context.db, by, environmentId, id)),
  });
}

async function at<T>(
  { db }: CommandContext,
  id: string,
  work: (environmentId: number) => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  const location = await locateResource(db.pool, id);
  return location === null
    ? invalidField('series', 'not_found', 'there is no such series')
    : work(location.environmentId);
}
