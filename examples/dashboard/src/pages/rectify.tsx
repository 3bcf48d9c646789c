import { readFragment } from 'gql.tada';
import { useMemo, useState } from 'react';
import { useQuery } from 'urql';
import { InvoiceDetail, InvoiceRow } from '../documents.ts';
import { type Text, t } from '../language.ts';
import { Back } from '../parts/back.tsx';
import { draftFrom, type Rectifies } from '../parts/draft.ts';
import { Select } from '../parts/field.tsx';
import { InvoiceForm } from '../parts/invoice-form.tsx';
import { MethodChoice } from '../parts/method-choice.tsx';
import { useTitle } from '../parts/title.ts';
import { Trouble } from '../parts/trouble.tsx';
import { go } from '../route.ts';

type Reason = NonNullable<Rectifies['reason']>;
const reasons: [reason: Reason, label: Text][] = [
  ['correction', 'An error, a return or another price (art. 80.1, 80.2 and 80.6)'],
  ['insolvency', 'The recipient is insolvent (art. 80.3)'],
  ['uncollectible', 'The debt cannot be collected (art. 80.4)'],
  ['other', 'Another reason'],
];

/** Corrects an invoice: says anew what it should have been, or what there is to add and take away. */
export function RectifyPage({ id }: { id: string }) {
  const [{ data, error }, retry] = useQuery({ query: InvoiceDetail, variables: { id } });
  const [method, setMethod] = useState<Rectifies['method']>('substitution');
  const [reason, setReason] = useState<Reason>('correction');
  const invoice = data?.invoice;
  const row = readFragment(InvoiceRow, invoice);
  const begin = useMemo(
    () => (invoice == null ? null : draftFrom(invoice, readFragment(InvoiceRow, invoice).type, method)),
    [invoice, method],
  );
  const title = row == null ? t('Rectify') : t('Rectify {number}', { number: row.number });
  useTitle(title);
  if (error !== undefined && invoice == null) return <Trouble error={error} onRetry={retry} />;
  if (row == null || begin === null) return <p>{t('Loading…')}</p>;
  return (
    <>
      <Back to={`invoices/${id}`}>{row.number}</Back>
      <h1>{title}</h1>
      <fieldset>
        <legend>{t('How')}</legend>
        <MethodChoice method={method} onChange={setMethod} />
        <Select
          path="input.rectifies.reason"
          label={t('Reason')}
          faults={[]}
          value={reason}
          onChange={({ target }) => setReason(target.value as Reason)}
        >
          {reasons.map(([value, label]) => (
            <option key={value} value={value}>
              {t(label)}
            </option>
          ))}
        </Select>
      </fieldset>
      <InvoiceForm
        key={method}
        begin={begin}
        rectifies={{ invoiceId: id, method, reason }}
        button={t('Issue the rectifying invoice')}
        onIssued={(rectifying) => go(`invoices/${rectifying}`)}
      />
    </>
  );
}
