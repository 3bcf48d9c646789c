import { type ResultOf, readFragment } from 'gql.tada';
import { useMemo, useState } from 'react';
import { useQuery } from 'urql';
import { InvoiceDetail, InvoiceRow } from '../documents.ts';
import { aLine, type Draft, emptyDraft, type Rectifies } from '../parts/draft.ts';
import { InvoiceForm } from '../parts/invoice-form.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { go, href } from '../route.ts';

type Method = Rectifies['method'];

/** Corrects an invoice: says anew what it should have been, or what there is to add and take away. */
export function RectifyPage({ id }: { id: string }) {
  const [{ data, error }] = useQuery({ query: InvoiceDetail, variables: { id } });
  const [method, setMethod] = useState<Method>('substitution');
  const invoice = data?.invoice;
  const begin = useMemo(() => (invoice == null ? null : beginOf(invoice, method)), [invoice, method]);
  if (error !== undefined && invoice == null) return <Trouble error={error} />;
  if (invoice == null || begin === null) return <p>Loading…</p>;
  const { number } = readFragment(InvoiceRow, invoice);
  return (
    <>
      <nav aria-label="Breadcrumb">
        <a href={href(`invoices/${id}`)}>{`‹ ${number}`}</a>
      </nav>
      <h1>{`Rectify ${number}`}</h1>
      <fieldset>
        <legend>How</legend>
        <label className="choice">
          <input
            type="radio"
            name="method"
            checked={method === 'substitution'}
            onChange={() => setMethod('substitution')}
          />
          By substitution: the lines below replace all of its lines
        </label>
        <label className="choice">
          <input
            type="radio"
            name="method"
            checked={method === 'differences'}
            onChange={() => setMethod('differences')}
          />
          By differences: the lines below are added to it, with a minus to take away
        </label>
      </fieldset>
      <InvoiceForm
        key={method}
        begin={begin}
        rectifies={{ invoiceId: id, method, reason: 'correction' }}
        button="Issue the rectifying invoice"
        onIssued={(rectifying) => go(`invoices/${rectifying}`)}
      />
    </>
  );
}

function beginOf(invoice: NonNullable<ResultOf<typeof InvoiceDetail>['invoice']>, method: Method): Draft {
  const { type } = readFragment(InvoiceRow, invoice);
  const lines = invoice.lineItems.map(({ description, quantity, unitAmount, taxItems }) =>
    aLine({
      description,
      quantity: String(quantity),
      price: (unitAmount / 100).toFixed(2),
      rate: String(taxItems[0]?.rate ?? 21),
    }),
  );
  return { ...emptyDraft(), type, lines: method === 'substitution' ? lines : [aLine()] };
}
