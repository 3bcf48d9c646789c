import type { Command } from 'commander';
import { type CliRuntime, standaloneCommand } from '../command.ts';
import { CommandFailure } from '../exit-status.ts';
import { flagOption, optionalOption } from '../options.ts';
import { PROFILE } from '../remote/login.ts';
import { remoteOf } from '../remote/profiles.ts';

export function mcp(program: Command, runtime: CliRuntime): void {
  standaloneCommand(program, runtime, {
    name: 'mcp',
    description: 'serves agents: a server of the Model Context Protocol',
    details:
      'Serves an agent with tools to issue, correct, find and explain invoices, with the key of a login ("lacre login"): over standard input and output, or with --port over streamable HTTP for programs of this machine. With a live key it is read-only; with --allow-live it also issues, each time only after a person has agreed in the agent’s program.',
    parameters: {
      ...PROFILE,
      port: optionalOption('number', 'serve over HTTP on this port of 127.0.0.1; 0 for any free port'),
      allowLive: flagOption('allow issuing with a live key after a person has agreed'),
    },
    examples: [['One question, by hand', 'mcp < hello.jsonl']],
    async run(context, { profile, port, allowLive }) {
      const remote = remoteOf(context.profiles, profile);
      // Loaded only here, because it is slow to load.
      const { mcpServer } = await import('./server.ts');
      if (port === undefined) {
        const { serveStdio } = await import('./stdio.ts');
        await serveStdio(mcpServer(remote, allowLive), context);
        return undefined;
      }
      if (!/^\d{1,5}$/.test(port)) return new CommandFailure('usage', '--port must be a number');
      const { serveHttp } = await import('./http.ts');
      const { url, token } = await serveHttp(Number(port), () => mcpServer(remote, allowLive));
      const output = context.json ? JSON.stringify({ url, token }) : `${url}\nAuthorization: Bearer ${token}`;
      context.stdout.write(`${output}\n`);
      // Until it is interrupted.
      return new Promise(() => {});
    },
  });
}
