import { clock } from '../../ground/lib/clock.ts';
import { type LinkSecrets, openWithAny } from '../../ground/lib/keyring.ts';
import { verifyDownload } from '../../subjects/documents/links.ts';

/** The id of the environment whose document a link opens, null when it is over or not ours. Asks no database. */
export function linkOwner(
  secrets: Pick<LinkSecrets, 'all'>,
  { id, token }: { readonly id: string; readonly token: string },
): number | null {
  const opened = openWithAny(secrets, (secret) => verifyDownload(secret, id, token, clock.now()));
  return typeof opened === 'string' ? null : opened.environmentId;
}
