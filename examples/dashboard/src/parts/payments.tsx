import type { CombinedError } from '@urql/core';
import { type FormEvent, useRef, useState } from 'react';
import { useMutation } from 'urql';
import { RecordPayment, RemovePayment, SendInvoice } from '../documents.ts';
import { refusalOf } from '../errors.ts';
import { euros, inList, onDay, typedEuros, wholeCents } from '../format.ts';
import { t, words } from '../language.ts';
import type { Invoice } from './draft.ts';
import { Input, Select } from './field.tsx';
import { type Refused, withTitles } from './refusal.tsx';
import { Status } from './status.tsx';
import { Trouble } from './trouble.tsx';

type PaymentsProps = Readonly<{ invoice: Invoice; invoiceId: string; mayRecord: boolean }>;

/** What was paid of an invoice, and what is still due. */
export function Payments({ invoice, invoiceId, mayRecord }: PaymentsProps) {
  const [error, setError] = useState<CombinedError>();
  const [, remove] = useMutation(RemovePayment);
  const { paymentStatus, amountDue, payments } = invoice;
  const paid = (payments?.edges ?? []).flatMap(({ node }) => (node === null ? [] : [node]));
  if (paymentStatus === null) return null;
  const takeBack = async (paymentId: string) => {
    const answer = await remove({ invoiceId, paymentId });
    setError(answer.error);
  };
  return (
    <section aria-labelledby="payments">
      <h2 id="payments">
        {t('Payments')} <Status status="issued" registration={paymentStatus} />
      </h2>
      {error !== undefined && <Trouble error={error} onRetry={() => setError(undefined)} />}
      <ul className="family">
        {paid.map(({ id: paymentId, paidOn, means, reference, amount }) => (
          <li key={paymentId}>
            <span>{onDay(paidOn)}</span>
            <span>{[means && words(means), reference].filter(Boolean).join(', ')}</span>
            <span className="number">{euros(amount)}</span>
            {mayRecord && (
              <button type="button" className="link" onClick={() => takeBack(paymentId)}>
                {t('Take back {amount}', { amount: euros(amount) })}
              </button>
            )}
          </li>
        ))}
      </ul>
      <p>{t('Still due: {amount}', { amount: euros(amountDue ?? 0) })}</p>
      {mayRecord && amountDue !== null && amountDue > 0 && (
        <NewPayment key={amountDue} invoiceId={invoiceId} amountDue={amountDue} />
      )}
    </section>
  );
}

const today = () => new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/Madrid' }).format(new Date());

function NewPayment({ invoiceId, amountDue }: { invoiceId: string; amountDue: number }) {
  const [{ fetching }, record] = useMutation(RecordPayment);
  const [refused, setRefused] = useState<Refused | null>(null);
  const idempotencyKey = useRef(crypto.randomUUID());
  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = new FormData(event.currentTarget);
    const means = String(typed.get('input.means'));
    const reference = String(typed.get('input.reference'));
    const input = {
      invoiceId,
      amount: wholeCents(String(typed.get('input.amount'))) ?? 0,
      paidOn: String(typed.get('input.paidOn')),
      ...(means === '' ? {} : { means: means as 'transfer' }),
      ...(reference === '' ? {} : { reference }),
    };
    const { error } = await record({ input, idempotencyKey: idempotencyKey.current });
    idempotencyKey.current = crypto.randomUUID();
    setRefused(error === undefined ? null : withTitles(refusalOf(error)));
  };
  const faults = refused?.faults ?? [];
  return (
    <form onSubmit={send} noValidate>
      {refused !== null && (
        <p className="trouble" role="alert">
          {refused.message}
        </p>
      )}
      <div className="columns">
        <Input
          path="input.amount"
          label={t('Amount (€)')}
          faults={faults}
          defaultValue={typedEuros(amountDue)}
        />
        <Input path="input.paidOn" label={t('Paid on')} faults={faults} type="date" defaultValue={today()} />
        <Select path="input.means" label={t('Paid by')} faults={faults}>
          <option value="">{t('not stated')}</option>
          {['transfer', 'direct_debit', 'card', 'cash', 'other'].map((means) => (
            <option key={means} value={means}>
              {words(means)}
            </option>
          ))}
        </Select>
        <Input path="input.reference" label={t('Reference')} faults={faults} />
      </div>
      <button type="submit" disabled={fetching}>
        {t('Record the payment')}
      </button>
    </form>
  );
}

/** Sends the document by e-mail, to the recipient's address or another one. */
export function Send({ invoice, invoiceId }: { invoice: Invoice; invoiceId: string }) {
  const [{ data, error, fetching }, send] = useMutation(SendInvoice);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const to = String(new FormData(event.currentTarget).get('to')).trim();
    const input = { invoiceId, ...(to === '' ? {} : { to: [to] }) };
    await send({ input, idempotencyKey: crypto.randomUUID() });
  };
  return (
    <section aria-labelledby="send">
      <h2 id="send">{t('Send by e-mail')}</h2>
      <form onSubmit={submit}>
        {error !== undefined && (
          <p className="trouble" role="alert">
            {refusalOf(error).message}
          </p>
        )}
        <div className="actions">
          <input
            name="to"
            type="email"
            aria-label={t('To')}
            placeholder={invoice.recipient?.email ?? 'ana@example.com'}
          />
          <button type="submit" className="quiet" disabled={fetching}>
            {t('Send')}
          </button>
        </div>
        {data?.sendInvoice != null && (
          <p role="status">
            {t('It is on its way to {addresses}.', { addresses: inList(data.sendInvoice.to) })}
          </p>
        )}
      </form>
    </section>
  );
}
