import type { Command } from 'commander';
import { parseRequest } from '../../ground/errors/issues.ts';
import { invalidField, isRefusal, type Outcome } from '../../ground/errors/refusal.ts';
import { dropSeries, makeDefault, openSeries } from '../../subjects/number-series/administer-series.ts';
import { listSeries, seriesRequest } from '../../subjects/number-series/manage-series.ts';
import { whereIs } from '../../subjects/operations/whereabouts.ts';
import { changes, type Desk, reads, subject, type World } from './command.ts';
import { count, flag, may, need, needWord, operand, word } from './options.ts';
import { ENVIRONMENT, environmentMeant, inEnvironment, onThing } from './targets.ts';

const TYPES = ['standard', 'rectifying'] as const;
const SERIES = operand('the id of the series');

export function series(program: Command, world: World): void {
  const group = subject(program, 'series', 'number series: where invoice numbers come from');
  reads(group, world, {
    name: 'list',
    says: 'lists the series of an environment, the newest first',
    takes: {
      ...ENVIRONMENT,
      type: word(TYPES, 'only those of this type'),
      limit: count('how many at most', { most: 1_000, standard: 100 }),
      after: may('ns_…', 'go on after this one'),
    },
    examples: [
      ['Those of a company’s test environment', 'series list --company $COMPANY --environment test'],
    ],
    async run(desk, given) {
      const environmentId = await environmentMeant(desk, given);
      if (isRefusal(environmentId)) return environmentId;
      const { limit: first, after = null, type = null } = given;
      return listSeries(desk.db, environmentId, { first, after, type });
    },
  });
  changes(group, world, {
    name: 'create',
    says: 'creates a series',
    takes: {
      ...ENVIRONMENT,
      prefix: need('text', 'what its numbers begin with; stored in capitals, without white space'),
      type: needWord(TYPES, 'of which invoices'),
      endless: flag('it never starts again; without it, it starts at 1 each year'),
    },
    examples: [
      [
        'A series for a second shop',
        'series create --environment $ENVIRONMENT --prefix TPV2 --type standard --reason "second shop"',
      ],
    ],
    would: (desk, given) => inEnvironment(desk, given, `create the series ${given.prefix}`),
    async run(desk, given, by) {
      const { prefix, type, endless } = given;
      const request = parseRequest(seriesRequest, { prefix, type, yearly: !endless });
      if (isRefusal(request)) return request;
      const environmentId = await environmentMeant(desk, given);
      return isRefusal(environmentId) ? environmentId : openSeries(desk.db, by, environmentId, request);
    },
  });
  changes(group, world, {
    name: 'delete',
    says: 'deletes a series that was never used',
    takes: { series: SERIES },
    examples: [['A series made by mistake', 'series delete $SERIES --reason "made twice"']],
    would: (desk, { series: id }) => onThing(desk, id, `delete the series ${id}`),
    run: (desk, { series: id }, by) =>
      at(desk, id, (environmentId) => dropSeries(desk.db, by, environmentId, id)),
  });
  changes(group, world, {
    name: 'default',
    says: 'makes a series the one that is used when none is named',
    details:
      'Makes a series the one on which invoices, or rectificativas, go when they name none. Its predecessor stays and can still be named.',
    takes: { series: SERIES },
    examples: [['A new default', 'series default $SERIES --reason "new numbering"']],
    would: (desk, { series: id }) => onThing(desk, id, `make ${id} the default series`),
    run: (desk, { series: id }, by) =>
      at(desk, id, (environmentId) => makeDefault(desk.db, by, environmentId, id)),
  });
}

async function at<T>(
  { db }: Desk,
  id: string,
  work: (environmentId: number) => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  const place = await whereIs(db.pool, id);
  return place === null
    ? invalidField('series', 'not_found', 'there is no such series')
    : work(place.environmentId);
}
