import { scrypt, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** What somebody may do: an owner everything, staff issue, an adviser read and export. */
export const SCOPES = {
  owner: ['read', 'issue', 'correct', 'manage'],
  staff: ['read', 'issue'],
  adviser: ['read'],
} as const;
export type Role = keyof typeof SCOPES;

export type User = { readonly name: string; readonly role: Role };

/** A user with the salt and the hash of the password, both in hexadecimal. */
export type Account = User & { readonly salt: string; readonly hash: string };

const HASH_BYTES = 32;
const hashOf = promisify(scrypt) as (password: string, salt: Buffer, bytes: number) => Promise<Buffer>;

/** The accounts of the demo, whose passwords are `demo-` and the role. A team puts its own identity provider in their place. */
export function demoAccounts(): readonly Account[] {
  return JSON.parse(readFileSync(join(import.meta.dirname, 'accounts.json'), 'utf8')) as Account[];
}

/** The user of a name and password, or null. Takes as long for a name that nobody has. */
export async function checkPassword(
  accounts: readonly Account[],
  name: string,
  password: string,
): Promise<User | null> {
  const account = accounts.find((each) => each.name === name);
  const salt = Buffer.from(account?.salt ?? '00', 'hex');
  const expected = Buffer.from(account?.hash ?? '00'.repeat(HASH_BYTES), 'hex');
  const isRight = timingSafeEqual(await hashOf(password, salt, HASH_BYTES), expected);
  return account !== undefined && isRight ? { name: account.name, role: account.role } : null;
}
