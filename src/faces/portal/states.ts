import { type Html, html } from '../web/html.ts';
import type { ListedInvoice, PortalInvoice } from './reading.ts';
import type { Texts } from './texts-es.ts';

type Shown = Pick<
  ListedInvoice | PortalInvoice,
  'status' | 'verifactu' | 'type' | 'kind' | 'rectifiedBy' | 'exchangedBy'
> & { readonly qualifiedSimplified?: unknown };

/** Which of the states in words an invoice is in. */
export function stateOf({ status, verifactu }: Pick<Shown, 'status' | 'verifactu'>): keyof Texts['states'] {
  if (status === 'voided') return 'voided';
  return verifactu?.status ?? 'unregistered';
}

export function badge(invoice: Shown, texts: Texts): Html {
  const state = stateOf(invoice);
  return html`<span class="badge ${state}">${texts.states[state].name}</span>`;
}

/** What else became of it. */
export function marks({ rectifiedBy, exchangedBy }: Shown, texts: Texts): Html {
  return html`${rectifiedBy.length > 0 && html` <span class="badge mark">${texts.corrected}</span>`}${
    exchangedBy !== null && html` <span class="badge mark">${texts.exchanged}</span>`
  }`;
}

/** One that names its recipient at wish is a simplified invoice, but no receipt. */
export function typeName({ type, kind, qualifiedSimplified }: Shown, { types }: Texts): string {
  if (kind === 'exchange') return types.exchange;
  if (kind === 'original' && qualifiedSimplified) return types.qualified;
  return kind === 'original' ? types[type] : types.rectifying;
}

/**
 * Whether it looks as if a complete invoice can be requested in exchange, now or once it is registered. Exchanging
 * itself holds every rule; this only saves visitors the way to a form that would be refused.
 */
export function exchangeability(invoice: Shown): 'now' | 'later' | 'never' {
  const { type, status, verifactu, rectifiedBy, exchangedBy } = invoice;
  const isFree = status === 'issued' && rectifiedBy.length === 0 && exchangedBy === null;
  if (type !== 'simplified' || !isFree) return 'never';
  if (verifactu?.status === 'pending') return 'later';
  const isRegistered = verifactu?.status === 'registered' || verifactu?.status === 'registered_with_errors';
  return isRegistered ? 'now' : 'never';
}
