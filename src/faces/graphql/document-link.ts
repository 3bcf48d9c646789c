import type { Config } from '../../ground/config/config.ts';
import { clock } from '../../ground/lib/clock.ts';
import { verifyDownload } from '../../subjects/documents/links.ts';

/** The id of the environment whose document a link opens, null when it is over or not ours. Asks no database. */
export function linkOwner(
  { linkSecret }: Pick<Config, 'linkSecret'>,
  { id, token }: { readonly id: string; readonly token: string },
): number | null {
  const opened = verifyDownload(linkSecret, id, token, clock.now());
  return typeof opened === 'string' ? null : opened.environmentId;
}
