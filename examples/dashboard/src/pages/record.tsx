import { type ResultOf, readFragment, type VariablesOf } from 'gql.tada';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useMutation, useQuery } from 'urql';
import { InvoiceDetail, InvoiceRow } from '../documents.ts';
import { AmendRecord, VoidInvoice } from '../documents-corrections.ts';
import type { Fault } from '../errors.ts';
import { refusalOf } from '../errors.ts';
import { type Text, t } from '../language.ts';
import { Back } from '../parts/back.tsx';
import { Input } from '../parts/field.tsx';
import { useIdempotencyKey } from '../parts/idempotency.ts';
import { RefusalSummary, type Refused, withTitles } from '../parts/refusal.tsx';
import { useTitle } from '../parts/title.ts';
import { Trouble } from '../parts/trouble.tsx';
import { go } from '../route.ts';

/** What is done with what the tax agency was told of an invoice. */
export type RecordAct = 'void' | 'amend';

const SAID: Readonly<
  Record<RecordAct, { readonly title: Text; readonly lead: Text; readonly button: Text }>
> = {
  void: {
    title: 'Void {number}',
    lead: 'For an invoice that should never have been issued, such as a second one of the same sale. An error in a real one is rectified instead. It cannot be undone, and the number stays used.',
    button: 'Void the invoice',
  },
  amend: {
    title: 'Amend the record of {number}',
    lead: 'Another record corrects what the tax agency was told. The invoice itself stays as it was given to its recipient; where it is wrong itself, it is rectified. Without changes, what was rejected or flagged is sent again.',
    button: 'Send the amended record',
  },
};

/** Voids an invoice, or amends its record. */
export function RecordPage({ id, act }: { id: string; act: RecordAct }) {
  const [{ data, error }, retry] = useQuery({ query: InvoiceDetail, variables: { id } });
  const row = readFragment(InvoiceRow, data?.invoice);
  const title = t(SAID[act].title, { number: row?.number ?? '' });
  useTitle(title);
  if (error !== undefined && row == null) return <Trouble error={error} onRetry={retry} />;
  if (row == null) return <p>{t('Loading…')}</p>;
  return (
    <>
      <Back to={`invoices/${id}`}>{row.number}</Back>
      <h1>{title}</h1>
      <p>{t(SAID[act].lead)}</p>
      <RecordForm act={act} row={row} />
    </>
  );
}

type Row = ResultOf<typeof InvoiceRow>;
type Amendment = VariablesOf<typeof AmendRecord>['input'];
const NOTHING = { reason: '', name: '', description: '', reclassify: false };
type Typed = Readonly<typeof NOTHING>;

function amendmentOf(invoiceId: string, { reason, name, description, reclassify }: Typed): Amendment {
  return {
    ...{ invoiceId, reason },
    ...(name.trim() === '' ? {} : { recipient: { name } }),
    ...(description.trim() === '' ? {} : { description }),
    ...(reclassify ? { reclassify } : {}),
  };
}

/** Sends it; says whether it was done, or why it was refused. */
function useAct(act: RecordAct, invoiceId: string) {
  const [, voidIt] = useMutation(VoidInvoice);
  const [, amend] = useMutation(AmendRecord);
  const keyOf = useIdempotencyKey();
  return async (typed: Typed) => {
    if (act === 'amend') {
      const { data, error } = await amend({ input: amendmentOf(invoiceId, typed) });
      return { isDone: data?.amendRecord != null, error };
    }
    const request = { invoiceId, reason: typed.reason };
    const { data, error } = await voidIt({ ...request, idempotencyKey: keyOf(request) });
    return { isDone: data?.voidInvoice != null, error };
  };
}

function RecordForm({ act, row }: { act: RecordAct; row: Row }) {
  const [typed, setTyped] = useState<Typed>(NOTHING);
  const [refused, setRefused] = useState<Refused | null>(null);
  const [isBusy, setBusy] = useState(false);
  const run = useAct(act, row.id);
  const summary = useRef<HTMLDivElement>(null);
  const faults = refused?.faults ?? [];
  useEffect(() => {
    if (refused !== null) summary.current?.focus();
  }, [refused]);
  const change = (part: Partial<Typed>) => setTyped({ ...typed, ...part });
  const send = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    const { isDone, error } = await run(typed);
    setBusy(false);
    if (isDone) return go(`invoices/${row.id}`);
    setRefused(error === undefined ? null : withTitles(refusalOf(error)));
  };
  return (
    <form onSubmit={send} noValidate>
      <RefusalSummary refused={refused} summary={summary} />
      <fieldset>
        <legend>{t('Details')}</legend>
        <Input
          path={act === 'void' ? 'reason' : 'input.reason'}
          label={t('Reason')}
          {...{ faults, maxLength: 500 }}
          value={typed.reason}
          onChange={({ target }) => change({ reason: target.value })}
        />
        {act === 'amend' && <Amended {...{ row, typed, faults }} onChange={change} />}
      </fieldset>
      <div className="actions">
        <button type="submit" disabled={isBusy}>
          {t(SAID[act].button)}
        </button>
      </div>
    </form>
  );
}

type AmendedProps = {
  readonly row: Row;
  readonly typed: Typed;
  readonly faults: readonly Fault[];
  readonly onChange: (part: Partial<Typed>) => void;
};

/** What is left empty stays as it was declared. */
function Amended({ row, typed, faults, onChange }: AmendedProps) {
  return (
    <>
      {row.type === 'complete' && (
        <Input
          path="input.recipient.name"
          label={t('Name of the recipient, in another spelling')}
          {...{ faults }}
          placeholder={row.recipientName ?? ''}
          value={typed.name}
          onChange={({ target }) => onChange({ name: target.value })}
        />
      )}
      <Input
        path="input.description"
        label={t('Description of the operation')}
        {...{ faults, maxLength: 500 }}
        value={typed.description}
        onChange={({ target }) => onChange({ description: target.value })}
      />
      <label className="choice">
        <input
          type="checkbox"
          checked={typed.reclassify}
          onChange={({ target }) => onChange({ reclassify: target.checked })}
        />
        {t('Declare the taxes as the tax catalog classifies them today')}
      </label>
    </>
  );
}
