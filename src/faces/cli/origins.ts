import type { Command } from 'commander';
import { isRefusal } from '../../ground/errors/refusal.ts';
import { allowedOrigins, setAllowedOrigins } from '../../subjects/accounts/entry/origins.ts';
import { type CliRuntime, commandGroup } from './command.ts';
import { changeCommand, queryCommand } from './database-command.ts';
import { requiredOption } from './options.ts';
import { ENVIRONMENT, environmentChange, resolveEnvironment } from './targets.ts';

export function origins(program: Command, runtime: CliRuntime): void {
  const group = commandGroup(program, 'origins', 'origins of web pages that may use access tokens');
  queryCommand(group, runtime, {
    name: 'list',
    description: 'lists the origins that an environment allows',
    parameters: ENVIRONMENT,
    examples: [
      ['The origins of a company’s test environment', 'origins list --company $COMPANY --environment test'],
    ],
    async run(context, values) {
      const environmentId = await resolveEnvironment(context, values);
      if (isRefusal(environmentId)) return environmentId;
      const allowed = await allowedOrigins(context.db, environmentId);
      return allowed.map((origin) => ({ origin }));
    },
  });
  changeCommand(group, runtime, {
    name: 'set',
    description: 'replaces the origins that an environment allows',
    details:
      'Replaces the origins that an environment allows; an empty text allows none. An origin is scheme, host and port, such as https://app.example.com. Applies from the next request on.',
    parameters: {
      ...ENVIRONMENT,
      origins: requiredOption('origins', 'all of them, separated by commas'),
    },
    examples: [
      [
        'A dashboard and its own stage',
        'origins set --company $COMPANY --environment test --origins https://app.example.com,http://localhost:5173 --reason "new dashboard"',
      ],
    ],
    preview: (context, values) => environmentChange(context, values, 'allow other origins'),
    async run(context, values, by) {
      const environmentId = await resolveEnvironment(context, values);
      if (isRefusal(environmentId)) return environmentId;
      const sent = values.origins === '' ? [] : values.origins.split(',');
      const request = { origins: sent, reason: by.reason };
      const set = await setAllowedOrigins(context.db, by, environmentId, request);
      return isRefusal(set) ? set : set.map((origin) => ({ origin }));
    },
  });
}
