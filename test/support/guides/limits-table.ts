import { REQUEST_LIMITS } from '../../../rest/limits.ts';
import { GRAPHQL_LIMITS } from '../../../src/faces/graphql/limits.ts';
import { DATABASE_LIMITS } from '../../../src/ground/db/limits.ts';
import type { Limit } from '../../../src/ground/lib/limit.ts';
import { SHARED_LIMITS } from '../../../src/ground/lib/limits.ts';
import { PROCESS_LIMITS } from '../../../src/startup/limits.ts';
import { ACCOUNT_LIMITS } from '../../../src/subjects/accounts/limits.ts';
import { APPROVAL_LIMITS } from '../../../src/subjects/approvals/limits.ts';
import { BATCH_LIMITS } from '../../../src/subjects/batches/limits.ts';
import { CERTIFICATE_LIMITS } from '../../../src/subjects/certificates/limits.ts';
import { CUSTOMER_LIMITS } from '../../../src/subjects/customers/limits.ts';
import { DOCUMENT_LIMITS } from '../../../src/subjects/documents/limits.ts';
import { DRAFT_LIMITS } from '../../../src/subjects/drafts/limits.ts';
import { EMAIL_LIMITS } from '../../../src/subjects/emails/limits.ts';
import { EVENT_LIMITS } from '../../../src/subjects/events/limits.ts';
import { EXPORT_LIMITS } from '../../../src/subjects/formats/limits.ts';
import { ISSUING_LIMITS } from '../../../src/subjects/issuing/limits.ts';
import { PAYMENT_LIMITS } from '../../../src/subjects/payments/limits.ts';
import { RECIPIENT_LIMITS } from '../../../src/subjects/recipients/limits.ts';
import { BOOK_LIMITS } from '../../../src/subjects/register-books/limits.ts';
import { AGENCY_LIMITS } from '../../../src/subjects/registration/limits.ts';
import { WEBHOOK_LIMITS } from '../../../src/subjects/webhooks/limits.ts';

/** The limits of all subjects, in the order of the guide. */
const ALL: readonly Readonly<Record<string, Limit>>[] = [
  REQUEST_LIMITS,
  PROCESS_LIMITS,
  DATABASE_LIMITS,
  GRAPHQL_LIMITS,
  ACCOUNT_LIMITS,
  APPROVAL_LIMITS,
  ISSUING_LIMITS,
  BATCH_LIMITS,
  DOCUMENT_LIMITS,
  BOOK_LIMITS,
  EXPORT_LIMITS,
  CERTIFICATE_LIMITS,
  AGENCY_LIMITS,
  RECIPIENT_LIMITS,
  WEBHOOK_LIMITS,
  SHARED_LIMITS,
  EMAIL_LIMITS,
  EVENT_LIMITS,
  DRAFT_LIMITS,
  PAYMENT_LIMITS,
  CUSTOMER_LIMITS,
];

/** All limits that a caller or an operator can meet. */
export const LIMITS: readonly (readonly [name: string, Limit])[] = ALL.flatMap((own) => Object.entries(own));

/** The guide with the table, and the comments that enclose it. */
export const LIMITS_GUIDE = new URL('../../../docs/guides/limits.md', import.meta.url);
const BEGIN = '<!-- limits: written by `npm run limits` -->';
const END = '<!-- end of limits -->';

/** The guide with its table written again. Throws if the guide has no comments for it. */
export function withLimitsTable(guide: string): string {
  const [before, rest] = guide.split(BEGIN);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined) throw new Error('the guide has no place for the limits');
  const limits = LIMITS.map(([, limit]) => limit);
  const groups = [...new Set(limits.map(({ group }) => group))];
  const tables = groups.map((group) => tableOf(group, limits));
  return `${before}${BEGIN}\n${tables.join('')}\n${END}${after}`;
}

function tableOf(group: string, limits: readonly Limit[]): string {
  const rows = limits
    .filter((limit) => limit.group === group)
    .map(({ bounds, beyond, reason, setting, ...limit }) => {
      const value = setting === undefined ? written(limit) : `${written(limit)} (\`${setting}\`)`;
      return `| ${[bounds, value, beyond, reason].map((text) => text.replaceAll('|', '\\|')).join(' | ')} |`;
    });
  return `\n### ${group}\n\n| what | limit | beyond it | why |\n| --- | --- | --- | --- |\n${rows.join('\n')}\n`;
}

/** As readers expect it: bytes in the largest unit that gives a whole number, and likewise times. */
function written({ value, unit }: Pick<Limit, 'value' | 'unit'>): string {
  if (unit === 'bytes per second') return `${written({ value, unit: 'bytes' })} a second`;
  if (unit === 'bytes' && value % (1024 * 1024) === 0) return `${value / (1024 * 1024)} MiB`;
  if (unit === 'bytes' && value % 1024 === 0) return `${value / 1024} KiB`;
  if (unit === 'ms' && value % 1_000 === 0) return `${value / 1_000} s`;
  if (unit === 'seconds') return `${value} s`;
  const figure = value.toLocaleString('en-US');
  return unit === 'items' ? figure : `${figure} ${unit}`;
}
