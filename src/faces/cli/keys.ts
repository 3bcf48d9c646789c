import type { Command } from 'commander';
import { invalidField } from '../../ground/errors/refusal.ts';
import { grantKey, grantOperatorKey, withdrawKey } from '../../subjects/accounts/administer.ts';
import { KEY_SCOPES, OPERATOR_ROLES } from '../../subjects/accounts/entry/permissions.ts';
import { allKeys, findKey } from '../../subjects/accounts/store/read-keys.ts';
import { type CliRuntime, commandGroup } from './command.ts';
import { changeCommand, queryCommand } from './database-command.ts';
import { CommandFailure } from './exit-status.ts';
import {
  choiceOption,
  choicesOption,
  instantOption,
  operand,
  optionalOption,
  requiredOption,
} from './options.ts';
import { liveChange, nonLiveChange, resourceChange } from './targets.ts';

export function keys(program: Command, runtime: CliRuntime): void {
  const group = commandGroup(program, 'keys', 'API keys of merchants and operators');
  queryCommand(group, runtime, {
    name: 'list',
    description: 'lists keys with their permissions, newest first, without their secrets',
    parameters: { company: optionalOption('co_…', 'only those of this company') },
    examples: [['The keys of a company', 'keys list --company $COMPANY']],
    run: ({ db }, { company = null }) => allKeys(db.pool, company),
  });
  changeCommand(group, runtime, {
    name: 'create',
    description: 'creates a key and shows it once',
    details:
      'Creates a key of a company’s environment, or of an operator. The key is printed once: it is stored as a hash and cannot be shown again.',
    parameters: {
      name: requiredOption('text', 'a name for people'),
      company: optionalOption('co_…', 'the company of the key'),
      environment: choiceOption(['test', 'live'], 'the environment of the key'),
      kind: choiceOption(['operator'], 'an operator’s key, which has access to every company'),
      scopes: choicesOption(KEY_SCOPES, 'what a company’s key may do; everything by default'),
      role: choiceOption(OPERATOR_ROLES, 'what an operator’s key may do; everything (admin) by default'),
      expires: instantOption('when it expires: an instant, or the beginning of a day in Madrid'),
    },
    examples: [
      [
        'A key for a shop’s tests, into a file',
        'keys create --company $COMPANY --environment test --name shop --reason "new integration" --json > shop-key.json',
      ],
      [
        'A key that can only read, until the end of 2030',
        'keys create --company $COMPANY --environment live --name reports --scopes read --expires 2031-01-01 --reason "monthly reports" --live',
      ],
      [
        'A key for an operator who can only read',
        'keys create --kind operator --name Ada --role viewer --reason "joins the team"',
      ],
    ],
    preview: (_context, { environment, company }) =>
      environment === 'live' ? liveChange(`create a live key of ${company}`) : nonLiveChange('create a key'),
    run(context, { name, company, environment, kind, scopes, role, expires: expiresAt }, by) {
      const isOperators = kind === 'operator' && company === undefined && environment === undefined;
      if (isOperators && scopes === undefined)
        return grantOperatorKey(context, by, { name, role, expiresAt });
      if (kind === undefined && company !== undefined && environment !== undefined && role === undefined) {
        return grantKey(context, by, { companyId: company, environment, name, scopes, expiresAt });
      }
      const usage = 'use --company and --environment (and --scopes), or --kind operator (and --role)';
      return Promise.resolve(new CommandFailure('usage', usage));
    },
  });
  changeCommand(group, runtime, {
    name: 'revoke',
    description: 'revokes a key immediately and permanently',
    parameters: { key: operand('the id of the key') },
    examples: [['A key that was lost', 'keys revoke $KEY --reason "lost laptop"']],
    async preview(context, { key }) {
      const found = await findKey(context.db.pool, key);
      if (found === null) return invalidField('id', 'not_found', 'there is no such key');
      const would = `revoke the key ${found.prefix}…`;
      return found.environmentId === null ? nonLiveChange(would) : resourceChange(context, key, would);
    },
    run: ({ db }, { key }, by) => withdrawKey(db, by, key),
  });
}
