import { useState } from 'react';
import { useQuery } from 'urql';
import { Originals } from '../documents.ts';
import { t } from '../language.ts';
import { aLine, emptyDraft, type Rectifies } from '../parts/draft.ts';
import { OfAnotherSystem } from '../parts/external-invoice.tsx';
import { Input } from '../parts/field.tsx';
import { InvoiceForm } from '../parts/invoice-form.tsx';
import { useTitle } from '../parts/title.ts';
import { Trouble } from '../parts/trouble.tsx';
import { go } from '../route.ts';

/** Corrects several invoices of one customer at once, or one of another system, or gives a discount on those of a period. */
export function CorrectPage({ chosen }: { chosen: URLSearchParams }) {
  const ids = (chosen.get('ids') ?? '').split(',').filter(Boolean);
  if (chosen.has('external')) return <OfAnotherSystem onIssued={onIssued} />;
  return ids.length === 0 ? <VolumeDiscount /> : <Several ids={ids} />;
}

const onIssued = (id: string) => go(`invoices/${id}`);

function Several({ ids }: { ids: readonly string[] }) {
  const [{ data, error }, retry] = useQuery({ query: Originals, variables: { ids: [...ids] } });
  useTitle(t('Correct several invoices'));
  if (error !== undefined && data === undefined) return <Trouble error={error} onRetry={retry} />;
  if (data === undefined) return <p>{t('Loading…')}</p>;
  const originals = (data.nodes ?? []).flatMap((node) => (node?.__typename === 'Invoice' ? [node] : []));
  const begin = {
    ...emptyDraft(),
    type: originals[0]?.type ?? ('complete' as const),
    lines: originals.map(({ id }) => aLine({ corrects: id })),
  };
  const rectifies: Rectifies = { invoiceIds: [...ids], method: 'differences', reason: 'correction' };
  return (
    <>
      <h1>{t('Correct several invoices')}</h1>
      <p>{t('Each line is added to the invoice that it names, with a minus to take away.')}</p>
      <InvoiceForm
        {...{ begin, rectifies, onIssued }}
        button={t('Issue the rectifying invoice')}
        originals={new Map(originals.map(({ id, number }) => [id, number]))}
      />
    </>
  );
}

function VolumeDiscount() {
  const [period, setPeriod] = useState({ from: '', to: '' });
  const [begin] = useState(emptyDraft);
  useTitle(t('Volume discount'));
  const day = (name: 'from' | 'to', label: string) => (
    <Input
      path={`input.rectifies.period.${name}`}
      label={label}
      faults={[]}
      type="date"
      value={period[name]}
      onChange={({ target }) => setPeriod({ ...period, [name]: target.value })}
    />
  );
  return (
    <>
      <h1>{t('Volume discount')}</h1>
      <p>{t('Names a period instead of invoices. Every line is negative.')}</p>
      <fieldset>
        <legend>{t('Period')}</legend>
        <div className="columns">
          {day('from', t('First day'))}
          {day('to', t('Last day'))}
        </div>
      </fieldset>
      <InvoiceForm
        begin={begin}
        rectifies={{ period, method: 'differences', reason: 'volume_discount' }}
        button={t('Issue the rectifying invoice')}
        onIssued={onIssued}
      />
    </>
  );
}
