import { z } from 'zod';
import { bdi, type Html, html } from '../web/html.ts';
import { badge, facts, table } from './components.ts';
import { money } from './format.ts';
import type { CompanyScope } from './page.ts';
import { say, wordOf } from './words.ts';

/** Where pages of an environment stand, and with what environment. */
export type EnvironmentScope = CompanyScope & { readonly environment: 'test' | 'live' };

/** Below the root: drafts or schedules of an environment, or what is below them. */
export const addressOf = (
  { companyId, environment }: EnvironmentScope,
  group: 'drafts' | 'schedules',
  below = '',
): string => `/companies/${companyId}/${group}${below}?environment=${environment}`;

/** What of an invoice that is not issued is shown: anything of it may be missing. */
const content = z.looseObject({
  type: z.string().nullish(),
  language: z.string().nullish(),
  notes: z.string().nullish(),
  external_id: z.string().nullish(),
  recipient: z.looseObject({ name: z.string().nullish(), tax_id: z.string().nullish() }).nullish(),
  line_items: z
    .array(
      z.looseObject({
        description: z.string(),
        quantity: z.number().nullish(),
        quantity_decimal: z.string().nullish(),
        unit_amount: z.number().nullish(),
        unit_amount_decimal: z.string().nullish(),
        tax_items: z.array(z.looseObject({ type: z.string(), rate: z.number().nullish() })).nullish(),
      }),
    )
    .nullish(),
});

type Content = z.output<typeof content>;
type Line = NonNullable<Content['line_items']>[number];

/** Whom an invoice is for. */
export function recipientOf(invoice: unknown): Html {
  const { recipient } = content.parse(invoice);
  if (recipient == null) return html`<span class="soft">${say('nobody named')}</span>`;
  const { name, tax_id: taxId } = recipient;
  return html`${bdi(name ?? '—')}${taxId != null && html` <span class="under">${bdi(taxId)}</span>`}`;
}

/** The content of an invoice that is not issued. */
export function contentOf(invoice: unknown): Html {
  const { type, language, notes, external_id: externalId, line_items: lines } = content.parse(invoice);
  return html`<div class="card">${facts([
    ['Type', type != null && wordOf(type)],
    ['Recipient', recipientOf(invoice)],
    ['Language', language],
    ['External id', externalId != null && bdi(externalId)],
    ['Notes', notes != null && bdi(notes)],
  ])}</div>
${table(
  'Lines',
  [
    { head: 'Line', cell: ({ description }) => bdi(description) },
    {
      head: 'Quantity',
      kind: 'amount',
      cell: ({ quantity, quantity_decimal: exact }) => exact ?? String(quantity ?? '—'),
    },
    { head: 'Unit amount', kind: 'amount', cell: unitAmount },
    { head: 'Taxes', cell: ({ tax_items: taxes }) => (taxes ?? []).map(taxOf).join(', ') || '—' },
  ],
  lines ?? [],
  'It has no lines yet.',
)}`;
}

function unitAmount({ unit_amount: cents, unit_amount_decimal: exact }: Line): string {
  if (exact != null) return exact;
  return cents == null ? '—' : money(cents);
}

const taxOf = ({ type, rate }: { type: string; rate?: number | null | undefined }): string =>
  rate == null ? type : `${type} ${rate} %`;

export type Fault = { readonly field: string | null; readonly code: string; readonly message: string };

/** Whether a draft is issued, could be, or not. */
export function draftState({
  status,
  errors,
  failureCode,
}: {
  readonly status: 'open' | 'issued';
  readonly errors: readonly Fault[];
  readonly failureCode: string | null;
}): Html {
  if (status === 'issued') return badge('registered', 'Issued|draft');
  if (failureCode !== null) return badge('rejected', 'Refused');
  return errors.length > 0 ? badge('registered_with_errors', 'Incomplete') : badge('pending', 'Ready');
}

const SCHEDULE_BADGES = { active: 'registered', paused: 'held', ended: 'voided' } as const;
const SCHEDULE_STATES = { active: 'Active|schedule', paused: 'Paused', ended: 'Ended' } as const;

export function scheduleState(status: keyof typeof SCHEDULE_STATES): Html {
  return badge(SCHEDULE_BADGES[status], SCHEDULE_STATES[status]);
}
