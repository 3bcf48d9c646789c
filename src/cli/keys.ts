import { environmentOf } from '../accounts/companies.ts';
import { createApiKey, createOperatorKey, listKeys, revokeKey } from '../accounts/keys.ts';
import { type Command, oneOf, readOptions, required, UsageError } from './command.ts';

export const keys: Record<string, Command> = {
  create: {
    usage: '--name <text> (--company <co_…> --environment test|live | --kind operator)',
    async run(db, args) {
      const { options } = readOptions(args, ['name', 'company', 'environment', 'kind']);
      const name = required(options.name, '--name');
      if (options.kind !== undefined) {
        oneOf(options.kind, '--kind', ['operator']);
        return createOperatorKey(db.pool, name);
      }
      const environment = oneOf(options.environment, '--environment', ['test', 'live']);
      const environmentId = await environmentOf(db.pool, required(options.company, '--company'), environment);
      if (environmentId === null) throw new Error('no such company');
      return createApiKey(db.pool, { environmentId, environment, name });
    },
  },
  list: {
    usage: '[--company <co_…>]',
    async run(db, args) {
      return listKeys(db.pool, readOptions(args, ['company']).options.company ?? null);
    },
  },
  revoke: {
    usage: '<key_…|opk_…>',
    async run(db, args) {
      const [id, ...more] = readOptions(args, []).rest;
      if (more.length > 0) throw new UsageError('one key at a time');
      if (!(await revokeKey(db.pool, required(id, 'the id of the key')))) throw new Error('no such key');
      return { revoked: id };
    },
  },
};
