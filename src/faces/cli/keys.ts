import type { Command } from 'commander';
import { invalidField } from '../../ground/errors/refusal.ts';
import { grantKey, grantOperatorKey, withdrawKey } from '../../subjects/accounts/administer.ts';
import { findKey, listKeys } from '../../subjects/accounts/keys.ts';
import { type CliRuntime, changeCommand, commandGroup, queryCommand } from './command.ts';
import { CommandFailure } from './exit-status.ts';
import { choiceOption, operand, optionalOption, requiredOption } from './options.ts';
import { liveChange, nonLiveChange, resourceChange } from './targets.ts';

export function keys(program: Command, runtime: CliRuntime): void {
  const group = commandGroup(program, 'keys', 'API keys of merchants and operators');
  queryCommand(group, runtime, {
    name: 'list',
    description: 'lists keys, the newest first, without their secrets',
    parameters: { company: optionalOption('co_…', 'only those of this company') },
    examples: [['The keys of a company', 'keys list --company $COMPANY']],
    run: ({ db }, { company = null }) => listKeys(db.pool, company),
  });
  changeCommand(group, runtime, {
    name: 'create',
    description: 'makes a key and shows it, this once',
    details:
      'Makes a key of a company’s environment, or of an operator. The key is printed once: it is stored as a hash and cannot be shown again.',
    parameters: {
      name: requiredOption('text', 'by which people know it'),
      company: optionalOption('co_…', 'whose key it is'),
      environment: choiceOption(['test', 'live'], 'the environment that it opens'),
      kind: choiceOption(['operator'], 'an operator’s key, which reaches every company'),
    },
    examples: [
      [
        'A key for a shop’s tests, into a file',
        'keys create --company $COMPANY --environment test --name shop --reason "new integration" --json > shop-key.json',
      ],
      ['A key for an operator', 'keys create --kind operator --name Ada --reason "joins the team"'],
    ],
    preview: (_desk, { environment, company }) =>
      environment === 'live' ? liveChange(`make a live key of ${company}`) : nonLiveChange('make a key'),
    run({ db }, { name, company, environment, kind }, by) {
      if (kind === 'operator' && company === undefined && environment === undefined) {
        return grantOperatorKey(db, by, { name });
      }
      if (kind === undefined && company !== undefined && environment !== undefined) {
        return grantKey(db, by, { companyId: company, environment, name });
      }
      return Promise.resolve(
        new CommandFailure('usage', 'say --company and --environment, or --kind operator'),
      );
    },
  });
  changeCommand(group, runtime, {
    name: 'revoke',
    description: 'ends a key at once and for good',
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
