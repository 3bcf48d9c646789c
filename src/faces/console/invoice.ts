import { isRefusal, type Outcome } from '../../ground/errors/refusal.ts';
import { type Html, html } from '../web/html.ts';
import { companyScopeOf } from './company.ts';
import { badge } from './components.ts';
import type { CompanyScope, OperatorContext } from './page.ts';
import { stored } from './query.ts';
import { say } from './words.ts';

/** What pages about an invoice have in common. */

type Named = {
  readonly type: 'complete' | 'simplified';
  readonly kind: string;
  readonly qualifiedSimplified?: unknown;
};

export function invoiceName(named: Named): string {
  return say(nameOf(named));
}

function nameOf({ type, kind, qualifiedSimplified }: Named) {
  if (kind === 'exchange') return 'Exchange invoice (F3)';
  if (kind === 'rectifying_differences') return 'Rectificativa by differences';
  if (kind === 'rectifying_substitution') return 'Rectificativa by substitution';
  if (qualifiedSimplified) return 'Simplified invoice with recipient';
  return type === 'simplified' ? 'Simplified invoice' : 'Complete invoice';
}

export function invoiceBadges(invoice: {
  readonly status: 'issued' | 'voided';
  readonly verifactu: { readonly status: string } | null;
}): Html {
  const { status, verifactu } = invoice;
  return html`${status === 'voided' && html`${badge('voided')} `}${verifactu === null ? badge('imported', 'Imported') : badge(verifactu.status)}`;
}

/** An invoice as confirmations name it. */
export type InvoiceBrief = {
  readonly id: string;
  readonly number: string;
  readonly type: 'complete' | 'simplified';
  readonly kind: string;
  readonly status: 'issued' | 'voided';
  readonly total: number;
  readonly issuedOn: string;
  readonly environment: 'test' | 'live';
  readonly companyId: string;
  readonly recipientName: string | null;
  readonly recipientTaxId: string | null;
  readonly verifactu: { readonly status: string } | null;
};

const BRIEF = stored(`query ConsoleBrief($id: ID!) {
  invoice(id: $id) {
    id number type kind status total issuedOn environment companyId recipientName recipientTaxId
    verifactu { status }
  }
}`);

/** An invoice with whose it is. */
export async function briefInvoice(
  context: OperatorContext,
  id: string,
): Promise<Outcome<{ readonly invoice: InvoiceBrief; readonly companyScope: CompanyScope }>> {
  const found = await BRIEF(context, { id });
  if (isRefusal(found)) return found;
  const companyScope = await companyScopeOf(context, found.invoice.companyId);
  if (isRefusal(companyScope)) return companyScope;
  return {
    invoice: found.invoice,
    companyScope: { ...companyScope, environment: found.invoice.environment },
  };
}
