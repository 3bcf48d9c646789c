import { z } from 'zod';
import { about } from './about-setting.ts';

/** Who may do what, from the least to the most. */
const ROLES = ['viewer', 'operator', 'admin'] as const;

/** The provider that says who operators are. */
export type IdentityProviderConfig = {
  readonly issuer: URL;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The claim that lists a person's groups. */
  readonly roleClaim: string;
  /** The group of each role; at least one. */
  readonly roles: Readonly<Partial<Record<(typeof ROLES)[number], string>>>;
};

/** The settings of the identity provider; part of `settings`. */
export const IDENTITY_SETTINGS = {
  OIDC_ISSUER: z
    .url({ protocol: /^https?$/ })
    .refine(
      (url) => url.startsWith('https:') || isLocal(url),
      'must begin with https: unless it is this machine',
    )
    .optional()
    .register(about, {
      group: 'Operators',
      meaning:
        'The OpenID Connect provider with whose accounts operators sign in to the console ([how](operating.md#who-operators-are)). Register `BASE_URL/console/callback` there. Requires the three other settings without a default.',
      values: 'URL, https',
      otherwise: 'none: operators sign in with keys alone',
    }),
  OIDC_CLIENT_ID: z.string().min(1).max(255).optional().register(about, {
    group: 'Operators',
    meaning: 'The client under which this installation is registered at the provider.',
    otherwise: 'none',
  }),
  OIDC_CLIENT_SECRET: z.string().min(1).max(1_000).optional().register(about, {
    group: 'Operators',
    meaning: 'The secret of that client.',
    values: 'text',
    otherwise: 'none',
    secret: true,
  }),
  OIDC_ROLES: z.string().transform(readRoles).optional().register(about, {
    group: 'Operators',
    meaning:
      'The group of the provider for each role. Who is in several has the highest; who is in none stays out.',
    values: '`role=group,…`: `viewer`, `operator`, `admin`',
    otherwise: 'none',
  }),
  TWO_PERSONS: z.enum(['on', 'off']).default('off').register(about, {
    group: 'Operators',
    meaning:
      'Whether what operators cannot take back needs [the approval of another operator](operating.md#two-persons). The same for all processes and for `lacre`.',
  }),
  AUDIT_WEBHOOK_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .register(about, {
      group: 'Operators',
      meaning:
        'Where what operators do is posted, [one entry of the audit log at a time](operating.md#the-audit-log-in-a-siem). The rules for addresses of webhooks apply. Requires `AUDIT_WEBHOOK_SECRET`.',
      values: 'URL, https',
      otherwise: 'none',
    }),
  AUDIT_WEBHOOK_SECRET: z
    .string()
    .regex(/^whsec_(?:[A-Za-z0-9+/]{4}){8,21}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/)
    .optional()
    .register(about, {
      group: 'Operators',
      meaning: 'The secret with which that is signed, as deliveries of webhooks are.',
      values: '`whsec_` and 24 to 64 bytes in base64',
      otherwise: 'none',
      secret: true,
    }),
  OIDC_ROLE_CLAIM: z.string().min(1).max(255).default('groups').register(about, {
    group: 'Operators',
    meaning: 'The claim of the ID token or of the user info that lists the groups of a person.',
  }),
} as const;

function isLocal(url: string): boolean {
  return /^(localhost|127\.[\d.]+|\[::1\])$/.test(new URL(url).hostname);
}

/** `admin=group,operator=group`. */
function readRoles(written: string, check: z.RefinementCtx): IdentityProviderConfig['roles'] {
  const pairs = written.split(',').map((pair) => pair.split('=').map((part) => part.trim()));
  const roles = Object.fromEntries(pairs);
  const isKnown = pairs.every(
    ([role = '', group = '', ...more]) =>
      ROLES.some((known) => known === role) && group !== '' && more.length === 0,
  );
  if (!isKnown || Object.keys(roles).length < pairs.length)
    check.addIssue({ code: 'custom', message: `must be role=group,… with the roles ${ROLES.join(', ')}` });
  return roles;
}

/** Where the audit log is posted. */
type AuditWebhookConfig = { readonly url: string; readonly secret: string };

/** What is set of operators. */
export type OperatorsConfig = {
  /** Null: operators sign in with keys alone. */
  readonly identityProvider: IdentityProviderConfig | null;
  /** Whether what operators cannot take back needs the approval of another one. */
  readonly twoPersons: boolean;
  /** Where the audit log of operators is posted; null: nowhere. */
  readonly auditWebhook: AuditWebhookConfig | null;
};

const REQUIRED = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'OIDC_ROLES'] as const;
type Values = z.output<z.ZodObject<typeof IDENTITY_SETTINGS>>;

/** What is missing of the settings if some of them are there. */
export function identityIssues(values: Values) {
  return [
    ...missingOf(values, REQUIRED),
    ...missingOf(values, ['AUDIT_WEBHOOK_URL', 'AUDIT_WEBHOOK_SECRET']),
  ];
}

function missingOf(values: Values, together: readonly (keyof Values)[]) {
  const missing = together.filter((name) => values[name] === undefined);
  if (missing.length === together.length) return [];
  const message = `${together.slice(0, -1).join(', ')} and ${together.at(-1)} go together`;
  return missing.map((name) => ({ code: 'custom' as const, path: [name], message }));
}

/** The provider of the settings; null without one. */
function readIdentityProvider(values: Values): IdentityProviderConfig | null {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = values;
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) return null;
  return {
    ...{ issuer: new URL(issuer), clientId, clientSecret },
    ...{ roleClaim: values.OIDC_ROLE_CLAIM, roles: values.OIDC_ROLES ?? {} },
  };
}

/** What the settings say of operators. */
export function readOperators(values: Values): OperatorsConfig {
  const { TWO_PERSONS, AUDIT_WEBHOOK_URL: url, AUDIT_WEBHOOK_SECRET: secret } = values;
  return {
    identityProvider: readIdentityProvider(values),
    twoPersons: TWO_PERSONS === 'on',
    auditWebhook: url === undefined || secret === undefined ? null : { url, secret },
  };
}
