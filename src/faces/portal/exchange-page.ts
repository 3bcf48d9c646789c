import type { Refusal } from '../../ground/errors/refusal.ts';
import { ACCEPTED_COUNTRIES } from '../../subjects/recipients/countries.ts';
import { type Choice, faultSummary, selectField, textField } from '../web/fields.ts';
import { countriesByName, day, money } from '../web/format.ts';
import { type Html, html } from '../web/html.ts';
import {
  type Entries,
  FIELDS,
  type Field,
  type FieldError,
  type FieldErrors,
  OFFERED_TYPES,
} from './exchange-form.ts';
import { document, notice, type VisitView } from './layout.ts';
import type { PortalInvoice, Reference } from './reading.ts';
import type { Texts } from './texts-es.ts';

type Problems = {
  readonly faults?: FieldErrors | undefined;
  /** The obstacle, if it does not concern a field. */
  readonly alert?: { readonly title: string; readonly text: string } | undefined;
};

/** The form that requests a complete invoice in exchange for a ticket, with errors beside the fields. */
export function exchangePage(
  view: VisitView,
  ticket: PortalInvoice,
  entries: Entries,
  { faults = {}, alert }: Problems = {},
): string {
  const { texts, language, root, formToken } = view;
  const labels = texts.exchange;
  const address = `${root}/invoices/${ticket.id}`;
  const form = new FormWriter(texts, entries, faults);
  const faulty = FIELDS.filter((field) => faults[field] !== undefined);
  const body = html`<p class="trail"><a href="${address}"><span aria-hidden="true">‹</span> ${labels.toInvoice}</a></p>
<h1>${labels.title}</h1>
${alert && html`<div class="card trouble" role="alert"><h2>${alert.title}</h2><p>${alert.text}</p></div>`}
${faulty.length > 0 && summary(texts, faulty, faults)}
<p class="lead">${labels.intro(ticket.number, day(ticket.issuedOn, language), money(ticket.total, language))}</p>
<form class="card recipient" method="post" action="${address}/exchange" novalidate>
<input type="hidden" name="token" value="${formToken}">
<fieldset><legend>${labels.recipient}</legend>
${form.text('name', { complete: 'name', max: 200, hint: labels.nameHint })}
${form.text('taxId', { complete: 'off', max: 50, hint: labels.taxIdHint, kind: 'half' })}
${form.select('taxIdType', taxIdTypes(texts), { kind: 'half' })}
${form.select('taxIdCountry', [['', labels.none], ...countriesByName([...ACCEPTED_COUNTRIES], language)], { hint: labels.taxIdCountryHint, optional: true })}
</fieldset>
<fieldset><legend>${labels.address}</legend>
${form.text('line1', { complete: 'address-line1', max: 200 })}
${form.text('line2', { complete: 'address-line2', max: 200, optional: true })}
${form.text('postalCode', { complete: 'postal-code', max: 20, kind: 'short' })}
${form.text('city', { complete: 'address-level2', max: 100, kind: 'long' })}
${form.select('country', countriesByName([...ACCEPTED_COUNTRIES], language), { complete: 'country' })}
${form.text('email', { complete: 'email', max: 254, type: 'email', optional: true })}
</fieldset>
<p class="final">${labels.final}</p>
<p class="actions"><button class="primary">${labels.submit}</button> <a href="${address}">${labels.cancel}</a></p>
</form>`;
  const prefix = faulty.length > 0 || alert !== undefined ? `${texts.error}: ` : '';
  return document(view, { title: prefix + labels.title, body });
}

function summary({ exchange }: Texts, faulty: readonly Field[], faults: FieldErrors): Html {
  const named = faulty.map((name) => ({
    name,
    label: exchange[name],
    fault: exchange.faults[faults[name]!],
  }));
  return faultSummary(exchange.summary, named);
}

function taxIdTypes({ exchange }: Texts): (readonly [string, string])[] {
  return [
    ['', exchange.types.auto] as const,
    ...OFFERED_TYPES.map((type) => [type, exchange.types[type]] as const),
  ];
}

type Options = {
  readonly complete?: string;
  readonly hint?: string;
  readonly optional?: boolean;
  readonly kind?: 'half' | 'short' | 'long';
};

/** Writes the fields of one form with what was written in them and what is wrong with it. */
class FormWriter {
  readonly #texts: Texts['exchange'];
  readonly #entries: Entries;
  readonly #faults: FieldErrors;

  constructor({ exchange }: Texts, entries: Entries, faults: FieldErrors) {
    this.#texts = exchange;
    this.#entries = entries;
    this.#faults = faults;
  }

  text(field: Field, options: Options & { readonly max: number; readonly type?: string }): Html {
    const { max, type = 'text' } = options;
    return textField(this.#field(field, options), { value: this.#entries[field], max, type });
  }

  select(field: Field, choices: readonly Choice[], options: Options = {}): Html {
    return selectField(this.#field(field, options), { choices, chosen: this.#entries[field] });
  }

  #field(name: Field, { complete, hint, optional, kind }: Options) {
    const fault: FieldError | undefined = this.#faults[name];
    return {
      ...{ name, label: this.#texts[name], hint, complete, width: kind },
      fault: fault && this.#texts.faults[fault],
      optional: optional ? this.#texts.optional : undefined,
      settled: name === 'taxIdType',
    };
  }
}

/** Why a ticket cannot be exchanged, in words, and the way to what it was exchanged for. */
export function refusalPage(
  view: VisitView,
  ticket: PortalInvoice,
  refusal: Refusal,
  replacedBy: readonly Reference[],
): string {
  const { texts, root } = view;
  const { refused, toInvoice } = texts.exchange;
  const more = html`<p class="actions">${replacedBy.map(
    ({ id, number }) =>
      html`<a class="button primary" href="${root}/invoices/${id}">${texts.invoice.title(number)}</a> `,
  )}<a class="button" href="${root}/invoices/${ticket.id}">${toInvoice}</a></p>`;
  const text = `${reason(refusal, texts)} ${refused.nothing}`;
  return notice(view, { title: refused.title, text }, more);
}

function reason({ code }: Refusal, { exchange: { refused } }: Texts): string {
  switch (code) {
    case 'invoice_pending_at_aeat':
      return refused.pending;
    case 'invoice_already_voided':
      return refused.voided;
    case 'invoice_has_live_canje':
      return refused.exchanged;
    case 'invoice_already_replaced':
    case 'invoice_not_family_tip':
      return refused.corrected;
    case 'invoice_is_canje':
      return refused.kind;
    default:
      return refused.other;
  }
}
