import { existsSync, readFileSync } from 'node:fs';
import { LacreClient } from '@lacre/client';
import { z } from 'zod';
import { writeFileAtomically } from '../../../ground/lib/write-file.ts';
import { newSigningSecret } from '../../../subjects/webhooks/signature.ts';
import { InvalidSettings } from '../exit-status.ts';

/** Services that are used over REST, each with a key: stored by `lacre login`, readable only by the owner. */

const profile = z.strictObject({
  base_url: z.url(),
  key: z.string().min(1),
  environment: z.enum(['test', 'live']),
  company: z.string(),
  /** The secret that signs the events that `lacre listen` forwards: the same each time, so that a receiver can store it. */
  listen_secret: z.string(),
  /** The last URL to which `lacre listen` forwarded; absent before the first time. */
  listen_to: z.url().optional(),
});

const contents = z.strictObject({ current: z.string(), profiles: z.record(z.string(), profile) });

export type Profile = z.output<typeof profile>;
type Contents = z.output<typeof contents>;

/** A profile with the client that works with it. */
export type Remote = { readonly name: string; readonly profile: Profile; readonly client: LacreClient };

/** The contents of the file; null if it does not exist. Throws `InvalidSettings` if it cannot be parsed. */
export function readProfiles(file: string): Contents | null {
  if (!existsSync(file)) return null;
  try {
    return contents.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    throw new InvalidSettings(`${file} cannot be parsed: remove it and log in again`, { cause: error });
  }
}

/** Stores a profile, which becomes the current one. */
export function saveProfile(
  file: string,
  name: string,
  profile: Omit<Profile, 'listen_secret' | 'listen_to'>,
): void {
  const before = readProfiles(file)?.profiles ?? {};
  const secret = before[name]?.listen_secret ?? newSigningSecret();
  write(file, { current: name, profiles: { ...before, [name]: { ...profile, listen_secret: secret } } });
}

/** Stores the URL to which a profile's events are forwarded, so that sample events can be posted there as well. */
export function saveListenUrl(file: string, { name, profile }: Remote, url: string): void {
  const found = readProfiles(file);
  if (found === null || profile.listen_to === url) return;
  write(file, { ...found, profiles: { ...found.profiles, [name]: { ...profile, listen_to: url } } });
}

/** Deletes the named profile, or the current one; returns its name, or null if it does not exist. */
export function deleteProfile(file: string, profileName: string | undefined): string | null {
  const found = readProfiles(file);
  const name = profileName ?? found?.current ?? '';
  if (found?.profiles[name] === undefined) return null;
  const { [name]: _removed, ...profiles } = found.profiles;
  const current = found.current === name ? (Object.keys(profiles)[0] ?? '') : found.current;
  write(file, { current, profiles });
  return name;
}

function write(file: string, contents: Contents): void {
  writeFileAtomically(file, `${JSON.stringify(contents, null, 2)}\n`);
}

/** The named profile, or the current one. Throws `InvalidSettings` if it does not exist. */
export function remoteOf(file: string, profileName: string | undefined): Remote {
  const found = readProfiles(file);
  const name = profileName ?? found?.current ?? '';
  const saved = found?.profiles[name];
  if (saved === undefined) {
    const which = profileName === undefined ? 'no profile' : `no profile ${profileName}`;
    throw new InvalidSettings(`there is ${which}: run "lacre login" first`);
  }
  return { name, profile: saved, client: new LacreClient({ baseUrl: saved.base_url, key: saved.key }) };
}
