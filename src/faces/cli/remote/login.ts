import type { Command } from 'commander';
import { isRefusal } from '../../../ground/errors/refusal.ts';
import { type CliRuntime, standaloneCommand } from '../command.ts';
import { CommandFailure } from '../exit-status.ts';
import { optionalOption, requiredOption } from '../options.ts';
import { password } from '../secrets.ts';
import { queryGraphql } from './graphql.ts';
import { deleteProfile, readProfiles, saveProfile } from './profiles.ts';

export const PROFILE = {
  profile: optionalOption('name', 'the login to use; by default the latest'),
};

const VIEWER = '{ viewer { kind environment scopes company { legalName } } }';

type Viewer = {
  readonly kind: string;
  readonly environment: 'test' | 'live' | null;
  readonly scopes: readonly string[];
  readonly company: { readonly legalName: string } | null;
};

export function login(program: Command, runtime: CliRuntime): void {
  standaloneCommand(program, runtime, {
    name: 'login',
    description: 'stores the URL and the key of a service for commands that work over REST',
    details:
      'Stores the URL of a service and a key of one environment of a company, for the commands that work over REST: "invoices create", "get" and "list", "events tail", "listen", "trigger" and "mcp". The key is asked for, or read from a file or from standard input, and checked at once. It is stored in ~/.config/lacre/profiles.json, readable only by you.',
    parameters: {
      url: requiredOption('url', 'the URL of the service, without /v1'),
      keyFile: optionalOption('path', 'a file with the key; - for standard input'),
      profile: optionalOption('name', 'the name of the login; "default" by default'),
    },
    examples: [
      ['A service on this machine', 'login --url $URL --key-file $KEYFILE'],
      ['Another login, by name', 'login --profile staging --url $URL --key-file $KEYFILE'],
    ],
    async run(context, { url, keyFile, profile: name = 'default' }) {
      if (!URL.canParse(url)) return new CommandFailure('usage', '--url must be a URL, such as https://…');
      const prompt = { path: keyFile, field: 'keyFile', question: 'Key (sk_test_… or sk_live_…): ' };
      const key = await password(context, prompt);
      if (isRefusal(key)) return key;
      if (key === '') return new CommandFailure('usage', 'no key was given: use --key-file');
      const base_url = url.replace(/\/+$/, '');
      const { viewer } = await queryGraphql<{ viewer: Viewer }>({ base_url, key }, VIEWER);
      if (viewer.environment === null || viewer.company === null)
        return new CommandFailure('usage', 'this is an operator’s key: a key of an environment is required');
      const { environment, company, scopes } = viewer;
      saveProfile(context.profiles, name, { base_url, key, environment, company: company.legalName });
      return { profile: name, company: company.legalName, environment, scopes: scopes.join(', ') };
    },
  });
  standaloneCommand(program, runtime, {
    name: 'logout',
    description: 'deletes a login',
    parameters: PROFILE,
    examples: [['By name', 'logout --profile $STAGING']],
    async run({ profiles }, { profile: profileName }) {
      const name = deleteProfile(profiles, profileName);
      return name === null ? new CommandFailure('not_found', 'there is no such login') : { deleted: name };
    },
  });
  standaloneCommand(program, runtime, {
    name: 'profiles',
    description: 'lists the logins, without their keys',
    parameters: {},
    examples: [['All', 'profiles']],
    async run({ profiles }) {
      const { current = '', profiles: saved = {} } = readProfiles(profiles) ?? {};
      return Object.entries(saved).map(([name, { base_url: url, company, environment }]) => ({
        ...{ profile: name, url, company, environment, current: name === current },
      }));
    },
  });
}
