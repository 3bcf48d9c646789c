import type { Command } from 'commander';
import { invalidField } from '../../ground/errors/refusal.ts';
import { grantKey, grantOperatorKey, withdrawKey } from '../../subjects/accounts/administer.ts';
import { findKey, listKeys } from '../../subjects/accounts/keys.ts';
import { changes, reads, subject, type World } from './command.ts';
import { Ending } from './exits.ts';
import { may, need, operand, word } from './options.ts';
import { always, never, onThing } from './targets.ts';

export function keys(program: Command, world: World): void {
  const group = subject(program, 'keys', 'API keys of merchants and operators');
  reads(group, world, {
    name: 'list',
    says: 'lists keys, the newest first, without their secrets',
    takes: { company: may('co_…', 'only those of this company') },
    examples: [['The keys of a company', 'keys list --company $COMPANY']],
    run: ({ db }, { company = null }) => listKeys(db.pool, company),
  });
  changes(group, world, {
    name: 'create',
    says: 'makes a key and shows it, this once',
    details:
      'Makes a key of a company’s environment, or of an operator. The key is printed once: it is stored as a hash and cannot be shown again.',
    takes: {
      name: need('text', 'by which people know it'),
      company: may('co_…', 'whose key it is'),
      environment: word(['test', 'live'], 'the environment that it opens'),
      kind: word(['operator'], 'an operator’s key, which reaches every company'),
    },
    examples: [
      [
        'A key for a shop’s tests, into a file',
        'keys create --company $COMPANY --environment test --name shop --reason "new integration" --json > shop-key.json',
      ],
      ['A key for an operator', 'keys create --kind operator --name Ada --reason "joins the team"'],
    ],
    would: (_desk, { environment, company }) =>
      environment === 'live' ? always(`make a live key of ${company}`) : never('make a key'),
    run({ db }, { name, company, environment, kind }, by) {
      if (kind === 'operator' && company === undefined && environment === undefined) {
        return grantOperatorKey(db, by, { name });
      }
      if (kind === undefined && company !== undefined && environment !== undefined) {
        return grantKey(db, by, { companyId: company, environment, name });
      }
      return Promise.resolve(new Ending('usage', 'say --company and --environment, or --kind operator'));
    },
  });
  changes(group, world, {
    name: 'revoke',
    says: 'ends a key at once and for good',
    takes: { key: operand('the id of the key') },
    examples: [['A key that was lost', 'keys revoke $KEY --reason "lost laptop"']],
    async would(desk, { key }) {
      const found = await findKey(desk.db.pool, key);
      if (found === null) return invalidField('id', 'not_found', 'there is no such key');
      const would = `revoke the key ${found.prefix}…`;
      return found.environmentId === null ? never(would) : onThing(desk, key, would);
    },
    run: ({ db }, { key }, by) => withdrawKey(db, by, key),
  });
}
