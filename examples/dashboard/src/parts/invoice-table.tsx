import { type FragmentOf, type ResultOf, readFragment } from 'gql.tada';
import type { ReactNode } from 'react';
import { InvoiceRow } from '../documents.ts';
import { euros, onDay } from '../format.ts';
import { t, words } from '../language.ts';
import { href } from '../route.ts';
import { Status } from './status.tsx';
import { type Column, Table } from './table.tsx';

type Props = {
  readonly invoices: readonly FragmentOf<typeof InvoiceRow>[];
  readonly beside?: (id: string, number: string) => ReactNode;
};

/** Invoices with their states. */
export function InvoiceTable({ invoices, beside }: Props) {
  const columns: readonly Column<ResultOf<typeof InvoiceRow>>[] = [
    {
      title: t('Number'),
      cell: ({ id, number }) => (
        <>
          {beside?.(id, number)}
          <a href={href(`invoices/${id}`)}>{number}</a>
        </>
      ),
    },
    { title: t('Date'), cell: ({ invoiceDate }) => onDay(invoiceDate) },
    { title: t('Recipient'), cell: ({ recipientName }) => recipientName ?? '—' },
    { title: t('Kind'), cell: ({ kind, type }) => words(kind === 'original' ? type : kind) },
    {
      title: t('Status'),
      cell: ({ status, verifactu }) => <Status status={status} registration={verifactu?.status} />,
    },
    {
      title: t('Payment'),
      cell: ({ paymentStatus }) =>
        paymentStatus === null ? '—' : <Status status="issued" registration={paymentStatus} />,
    },
    { title: t('Total'), cell: ({ total }) => euros(total), isNumber: true },
  ];
  const rows = invoices.map((invoice) => readFragment(InvoiceRow, invoice));
  return <Table rows={rows} keyOf={({ id }) => id} columns={columns} />;
}
