import { Option } from 'commander';
import { invalidField, isRefusal, type Outcome } from '../../../ground/errors/refusal.ts';
import { CommandFailure } from '../exit-status.ts';
import type { OptionDefinition } from '../options.ts';
import type { Streams } from '../output.ts';
import { password } from '../secrets.ts';
import type { Remote } from './profiles.ts';

/** Everything in a request that a file holds; `-` is standard input. */
export const FILE: OptionDefinition<string | undefined> = {
  option: () => new Option('-f, --file <path>', 'the request as JSON; - for standard input'),
};

/** The request in a file, not validated: the service does that. */
export async function readRequestFile<Request>(streams: Streams, path: string): Promise<Outcome<Request>> {
  // Not a password, but read from the same places.
  const text = await password(streams, { path, field: 'file', question: '' });
  if (isRefusal(text)) return text;
  try {
    return JSON.parse(text) as Request;
  } catch (error) {
    return invalidField('file', 'invalid_format', `must be JSON: ${(error as Error).message}`);
  }
}

/** The refusal of a change in a live environment without --live. */
export function liveConfirmationMissing({ name, profile }: Remote, effect: string): CommandFailure {
  const message = `This would ${effect} in the live environment of ${profile.company} (profile ${name})`;
  return new CommandFailure('live', `${message}. Nothing was done: add --live to do it.`);
}
