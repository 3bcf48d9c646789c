import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { saveProfile } from '../../../src/faces/cli/remote/profiles.ts';
import type { TestService } from '../http/http-service.ts';

/** A home directory with a login for each environment of a service's company, named as the environment. */
export type Logins = { readonly home: string; readonly profiles: string; remove(): void };

export function loginsFor(service: TestService): Logins {
  const home = mkdtempSync(join(tmpdir(), 'lacre-home-'));
  const profiles = join(home, '.config', 'lacre', 'profiles.json');
  for (const environment of ['live', 'test'] as const) {
    const { key } = service.company[environment];
    saveProfile(profiles, environment, { base_url: service.url, key, environment, company: 'Talleres' });
  }
  return { home, profiles, remove: () => rmSync(home, { recursive: true, force: true }) };
}
