import { type FragmentOf, readFragment } from 'gql.tada';
import type { ReactNode } from 'react';
import { InvoiceRow } from '../documents.ts';
import { euros, onDay } from '../format.ts';
import { t, words } from '../language.ts';
import { href } from '../route.ts';
import { Status } from './status.tsx';

type Row = FragmentOf<typeof InvoiceRow>;
type Props = {
  readonly invoices: readonly Row[];
  readonly beside?: (id: string, number: string) => ReactNode;
};

/** Invoices, each in a line; on a phone each on a card. */
export function InvoiceTable({ invoices, beside }: Props) {
  return (
    <table className="cards">
      <thead>
        <tr>
          <th scope="col">{t('Number')}</th>
          <th scope="col">{t('Date')}</th>
          <th scope="col">{t('Recipient')}</th>
          <th scope="col">{t('Kind')}</th>
          <th scope="col">{t('Status')}</th>
          <th scope="col">{t('Payment')}</th>
          <th scope="col" className="number">
            {t('Total')}
          </th>
        </tr>
      </thead>
      <tbody>
        {invoices.map((invoice) => {
          const row = readFragment(InvoiceRow, invoice);
          return (
            <tr key={row.id}>
              <th scope="row">
                {beside?.(row.id, row.number)}
                <a href={href(`invoices/${row.id}`)}>{row.number}</a>
              </th>
              <td>{onDay(row.invoiceDate)}</td>
              <td>{row.recipientName ?? '—'}</td>
              <td>{words(row.kind === 'original' ? row.type : row.kind)}</td>
              <td>
                <Status status={row.status} registration={row.verifactu?.status} />
              </td>
              <td>
                {row.paymentStatus === null ? (
                  '—'
                ) : (
                  <Status status="issued" registration={row.paymentStatus} />
                )}
              </td>
              <td className="number">{euros(row.total)}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
