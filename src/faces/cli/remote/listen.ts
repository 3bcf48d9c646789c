import type { LacreEvent } from '@lacre/client';
import type { Command } from 'commander';
import { isRefusal } from '../../../ground/errors/refusal.ts';
import { clock } from '../../../ground/lib/clock.ts';
import { WEBHOOK_LIMITS } from '../../../subjects/webhooks/limits.ts';
import { signedHeaders, signingKey } from '../../../subjects/webhooks/signature.ts';
import { type CliRuntime, standaloneCommand } from '../command.ts';
import { CommandFailure } from '../exit-status.ts';
import { requiredOption } from '../options.ts';
import { FOLLOWING, followed, lineOf } from './follow.ts';
import { remoteOf, saveListenUrl } from './profiles.ts';

export function listen(program: Command, runtime: CliRuntime): void {
  standaloneCommand(program, runtime, {
    name: 'listen',
    description: 'forwards signed events to a URL that only this machine can reach',
    details:
      'Forwards the events of a login’s environment to a URL, as a webhook endpoint there would receive them: the same body, the same headers, signed with a secret that is shown first and stays the same for the login. The service itself does not need access to the URL. Failures are reported and not retried.',
    parameters: { ...FOLLOWING, forwardTo: requiredOption('url', 'the URL that receives events') },
    examples: [
      [
        'To a program in development',
        'listen --forward-to $RECEIVER --types invoice.issued --after-sequence 0 --limit 1',
      ],
    ],
    async run({ profiles, stdout, json }, { forwardTo, ...values }) {
      if (!URL.canParse(forwardTo)) return new CommandFailure('usage', '--forward-to must be a URL');
      const remote = remoteOf(profiles, values.profile);
      const events = followed(remote, values);
      if (isRefusal(events)) return events;
      saveListenUrl(profiles, remote, forwardTo);
      const secret = remote.profile.listen_secret;
      stdout.write(json ? `${JSON.stringify({ secret })}\n` : `Signed with ${secret}\n`);
      for await (const event of events) {
        const result = await forward(forwardTo, secret, event);
        const { id, type, sequence } = event;
        stdout.write(
          json ? `${JSON.stringify({ id, type, sequence, result })}\n` : `${lineOf(event)} -> ${result}\n`,
        );
      }
      return undefined;
    },
  });
}

/** Posts an event as it is delivered to webhook endpoints. Answers the status, or why there is none. */
export async function forward(url: string, secret: string, event: LacreEvent): Promise<number | string> {
  const body = JSON.stringify(event);
  const headers = {
    'content-type': 'application/json',
    ...signedHeaders([signingKey(secret)], { id: event.id, at: clock.now(), body }),
  };
  const signal = AbortSignal.timeout(WEBHOOK_LIMITS.webhookAttempt.value);
  try {
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
    await response.body?.cancel();
    return response.status;
  } catch (error) {
    const { message, cause } = error as Error;
    return cause instanceof Error ? `${message}: ${cause.message}` : message;
  }
}
