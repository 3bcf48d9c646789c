import { type ResultOf, readFragment } from 'gql.tada';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useMutation, useQuery } from 'urql';
import { InvoiceDetail, InvoiceRow } from '../documents.ts';
import { ExchangeDetail, ExchangeTicket, ReplaceExchange, ReturnOnExchange } from '../documents-exchanges.ts';
import { refusalOf } from '../errors.ts';
import { euros } from '../format.ts';
import { type Text, t } from '../language.ts';
import { Back } from '../parts/back.tsx';
import { type Draft, draftFrom, emptyDraft, type Invoice } from '../parts/draft.ts';
import { ticketsOf } from '../parts/exchanges.tsx';
import { Input, Select } from '../parts/field.tsx';
import { useIdempotencyKey } from '../parts/idempotency.ts';
import { LineFields, NO_ORIGINALS } from '../parts/line-fields.tsx';
import { PartyFields } from '../parts/recipient-fields.tsx';
import { RefusalSummary, type Refused, withTitles } from '../parts/refusal.tsx';
import { partyOf, requestOf } from '../parts/request.ts';
import { useTitle } from '../parts/title.ts';
import { Trouble } from '../parts/trouble.tsx';
import { go } from '../route.ts';

/** What is done with a ticket for which somebody wants, or has, a complete invoice. */
export type Act = 'exchange' | 'return' | 'replace';

const SAID: Readonly<Record<Act, { readonly title: Text; readonly lead: Text; readonly button: Text }>> = {
  exchange: {
    title: 'Exchange {number}',
    lead: 'A complete invoice is issued that takes over the lines and amounts of the ticket, which stays valid.',
    button: 'Issue the complete invoice',
  },
  return: {
    title: 'Take something of {number} back',
    lead: 'Two invoices are issued: one that corrects the ticket by what comes back, and the exchange invoice of that. They can only be voided together.',
    button: 'Issue both invoices',
  },
  replace: {
    title: 'Make {number} out to another recipient',
    lead: 'It is taken back by an invoice with the same amounts in the negative, and the right one follows. The exchange invoices of earlier returns get their pair too.',
    button: 'Issue the invoices',
  },
};

/** Exchanges a ticket for a complete invoice, takes back what is returned of one, or mends its recipient. */
export function ExchangePage({ id, act }: { id: string; act: Act }) {
  const [{ data, error }, retry] = useQuery({ query: InvoiceDetail, variables: { id } });
  const [{ data: sold, error: unknown }] = useQuery({ query: ExchangeDetail, variables: { id } });
  const row = readFragment(InvoiceRow, data?.invoice);
  const title = t(SAID[act].title, { number: row?.number ?? '' });
  useTitle(title);
  const failed = error ?? unknown;
  if (failed !== undefined && (data?.invoice == null || sold?.invoice == null))
    return <Trouble error={failed} onRetry={retry} />;
  if (data?.invoice == null || sold?.invoice == null || row == null) return <p>{t('Loading…')}</p>;
  return (
    <>
      <Back to={`invoices/${id}`}>{row.number}</Back>
      <h1>{title}</h1>
      <p>{t(SAID[act].lead)}</p>
      <ExchangeForm act={act} id={id} invoice={data.invoice} sold={sold.invoice} />
    </>
  );
}

type Sold = NonNullable<ResultOf<typeof ExchangeDetail>['invoice']>;
type Typed = { readonly draft: Draft; readonly reason: string; readonly ticketId: string };

/** Issues what was typed; says what was issued, or why it was refused. */
function useAct(act: Act, id: string) {
  const [, exchange] = useMutation(ExchangeTicket);
  const [, giveBack] = useMutation(ReturnOnExchange);
  const [, replace] = useMutation(ReplaceExchange);
  return async ({ draft, reason, ticketId }: Typed, idempotencyKey: string) => {
    const recipient = partyOf(draft);
    if (act === 'exchange') {
      const { data, error } = await exchange({ input: { ticketIds: [id], recipient }, idempotencyKey });
      return { issued: data?.exchangeInvoices?.id, error };
    }
    const named = { exchangeInvoiceId: id, reason };
    if (act === 'return') {
      const ticket = ticketId === '' ? {} : { ticketId };
      const { lineItems } = requestOf(draft, null);
      const { data, error } = await giveBack({ input: { ...named, ...ticket, lineItems }, idempotencyKey });
      return { issued: data?.returnOnExchange?.exchanges[0]?.id, error };
    }
    const { data, error } = await replace({ input: { ...named, recipient }, idempotencyKey });
    // The first takes the wrong one back.
    return { issued: data?.replaceExchange?.exchanges[1]?.id, error };
  };
}

type FormProps = {
  readonly act: Act;
  readonly id: string;
  readonly invoice: Invoice;
  readonly sold: Sold;
};

function ExchangeForm({ act, id, invoice, sold }: FormProps) {
  const [typed, setTyped] = useState<Typed>(() => ({
    draft: act === 'return' ? takenBack(invoice) : emptyDraft(),
    ...{ reason: '', ticketId: '' },
  }));
  const [refused, setRefused] = useState<Refused | null>(null);
  const [isBusy, setBusy] = useState(false);
  const run = useAct(act, id);
  const keyOf = useIdempotencyKey();
  const summary = useRef<HTMLDivElement>(null);
  const faults = refused?.faults ?? [];
  useEffect(() => {
    if (refused !== null) summary.current?.focus();
  }, [refused]);
  const change = (part: Partial<Typed>) => {
    setTyped((before) => ({ ...before, ...part }));
  };
  const changeDraft = (part: Partial<Draft>) => change({ draft: { ...typed.draft, ...part } });
  const send = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    const { issued, error } = await run(typed, keyOf(typed));
    setBusy(false);
    if (issued !== undefined) return go(`invoices/${issued}`);
    setRefused(error === undefined ? null : withTitles(refusalOf(error)));
  };
  return (
    <form onSubmit={send} noValidate>
      <RefusalSummary refused={refused} summary={summary} />
      {act === 'return' ? (
        <>
          <TicketChoice sold={sold} faults={faults} typed={typed} onChange={change} />
          <LineFields
            lines={typed.draft.lines}
            faults={faults}
            originals={NO_ORIGINALS}
            onChange={(lines) => changeDraft({ lines })}
          />
        </>
      ) : (
        <fieldset>
          <legend>{t('Recipient')}</legend>
          <PartyFields draft={typed.draft} faults={faults} onChange={changeDraft} />
        </fieldset>
      )}
      {act !== 'exchange' && (
        <Input
          path="input.reason"
          label={t('Reason')}
          faults={faults}
          maxLength={500}
          value={typed.reason}
          onChange={({ target }) => change({ reason: target.value })}
        />
      )}
      <div className="actions">
        <button type="submit" disabled={isBusy}>
          {t(SAID[act].button)}
        </button>
      </div>
    </form>
  );
}

type TicketProps = Pick<FormProps, 'sold'> & {
  readonly faults: Refused['faults'];
  readonly typed: Typed;
  readonly onChange: (part: Partial<Typed>) => void;
};

/** How much there is to take back of each ticket, and of which it is if there are several. */
function TicketChoice({ sold, faults, typed, onChange }: TicketProps) {
  const tickets = ticketsOf(sold).map(({ id, family }) => ({
    id,
    number: readFragment(InvoiceRow, family?.members?.[0])?.number ?? id,
    left: euros(family?.inForceTotal ?? 0),
  }));
  const [first] = tickets;
  if (tickets.length < 2) return <p>{t('In force: {total}', { total: first?.left ?? '' })}</p>;
  return (
    <Select
      path="input.ticketId"
      label={t('Ticket')}
      faults={faults}
      value={typed.ticketId}
      onChange={({ target }) => onChange({ ticketId: target.value })}
    >
      <option value="">—</option>
      {tickets.map(({ id, number, left }) => (
        <option key={id} value={id}>
          {`${number} · ${t('In force: {total}', { total: left })}`}
        </option>
      ))}
    </Select>
  );
}

/** All that was sold, with a minus: what does not come back is removed. */
function takenBack(invoice: Invoice): Draft {
  const draft = draftFrom(invoice, 'simplified', 'substitution');
  const lines = draft.lines.filter(({ price }) => !price.startsWith('-'));
  return { ...draft, lines: lines.map((line) => ({ ...line, price: `-${line.price}` })) };
}
