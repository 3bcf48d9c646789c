import { environmentOf } from '../accounts/companies.ts';
import { createIntegration, integrationRequest, listIntegrations } from '../customers/integrations.ts';
import type { Db } from '../db/client.ts';
import { parseRequest } from '../errors/issues.ts';
import { isRefusal } from '../errors/refusal.ts';
import { actor, type Command, oneOf, readOptions, required } from './command.ts';

async function environment(db: Db, options: { company?: string; environment?: string }): Promise<number> {
  const kind = oneOf(options.environment, '--environment', ['test', 'live']);
  const id = await environmentOf(db.pool, required(options.company, '--company'), kind);
  if (id === null) throw new Error('no such company');
  return id;
}

export const integrations: Record<string, Command> = {
  create: {
    usage:
      '--company <co_…> --environment test|live --name <text> [--standard-series <ns_…>] [--rectifying-series <ns_…>]',
    async run(db, args) {
      const names = ['company', 'environment', 'name', 'standard-series', 'rectifying-series'] as const;
      const { options } = readOptions(args, names);
      const request = parseRequest(integrationRequest, {
        name: required(options.name, '--name'),
        standardSeriesId: options['standard-series'],
        rectifyingSeriesId: options['rectifying-series'],
      });
      if (isRefusal(request)) return request;
      return createIntegration(db, await environment(db, options), request, { actor: actor(), reason: null });
    },
  },
  list: {
    usage: '--company <co_…> --environment test|live',
    async run(db, args) {
      const { options } = readOptions(args, ['company', 'environment']);
      return listIntegrations(db, await environment(db, options));
    },
  },
};
