import { type ResultOf, readFragment } from 'gql.tada';
import { useQuery } from 'urql';
import { InvoiceRow } from '../documents.ts';
import { ExchangeDetail } from '../documents-exchanges.ts';
import { euros } from '../format.ts';
import { t, words } from '../language.ts';
import { href } from '../route.ts';
import { type Column, Table } from './table.tsx';
import { Trouble } from './trouble.tsx';

type Row = ResultOf<typeof InvoiceRow>;
type OfInvoice = NonNullable<ResultOf<typeof ExchangeDetail>['invoice']>;

/** The tickets of a sale, or the one that is shown, with their families. */
export function ticketsOf(invoice: OfInvoice) {
  const { exchanges } = invoice;
  return exchanges == null || exchanges.length === 0 ? [invoice] : exchanges;
}

type Props = {
  readonly row: Row;
  /** Whether it is an exchange invoice of a sale, in force: payments are recorded of it, and of no other. */
  readonly isPaid: boolean;
  readonly may: { readonly issue: boolean; readonly correct: boolean };
};

/** What tickets were exchanged for, what was returned of them since, and what may follow. */
export function Exchanges({ row, isPaid, may }: Props) {
  const { id, kind, type } = row;
  const concerned = kind === 'exchange' || type === 'simplified';
  const [{ data, error }, retry] = useQuery({ query: ExchangeDetail, variables: { id }, pause: !concerned });
  const invoice = data?.invoice;
  if (!concerned || row.status !== 'issued') return null;
  if (error !== undefined && invoice == null) return <Trouble error={error} onRetry={retry} />;
  if (invoice == null) return null;
  const members = ticketsOf(invoice).flatMap(({ family }) => family?.members ?? []);
  // Several tickets of one exchange may have one family.
  const documents = [...new Map(members.map((each) => [each.id, each])).values()];
  const exchanged = documents.filter(({ exchangedBy }) => exchangedBy !== null);
  const links = linksOf(row, isPaid && kind === 'exchange', may, {
    isHead: invoice.family?.head?.id === id,
    isExchanged: exchanged.length > 0,
  });
  if (exchanged.length === 0 && links.length === 0) return null;
  return (
    <section aria-labelledby="exchange">
      <h2 id="exchange">{t('Exchange for a complete invoice')}</h2>
      {exchanged.length > 0 && <Documents documents={exchanged} current={id} />}
      {kind === 'exchange' && !exchanged.some(({ exchangedBy }) => exchangedBy?.id === id) && (
        <p>{t('This one is out of force: those of the list have taken its place.')}</p>
      )}
      {links.length > 0 && (
        <p className="actions">
          {links.map(([action, name]) => (
            <a className="button" key={action} href={href(`invoices/${id}/${action}`)}>
              {name}
            </a>
          ))}
        </p>
      )}
    </section>
  );
}

type State = { readonly isHead: boolean; readonly isExchanged: boolean };

function linksOf(
  { type, total }: Row,
  isOfSale: boolean,
  may: Props['may'],
  { isHead, isExchanged }: State,
): readonly (readonly [action: string, name: string])[] {
  if (isOfSale && may.correct)
    return [
      ['return', t('Take back what is returned')],
      ['replace', t('Make it out to another recipient')],
    ];
  const isTicket = type === 'simplified' && isHead && !isExchanged && total > 0;
  return isTicket && may.issue ? [['exchange', t('Exchange the ticket')]] : [];
}

type Document = NonNullable<NonNullable<OfInvoice['family']>['members']>[number];

function Documents({ documents, current }: { documents: readonly Document[]; current: string }) {
  const cell = (row: Row) => (
    <a href={href(`invoices/${row.id}`)} aria-current={row.id === current ? 'true' : undefined}>
      {row.number}
    </a>
  );
  const rows = documents.map((document) => ({
    sold: readFragment(InvoiceRow, document),
    complete: readFragment(InvoiceRow, document.exchangedBy),
  }));
  const columns: readonly Column<(typeof rows)[number]>[] = [
    { title: t('Ticket or return'), cell: ({ sold }) => cell(sold) },
    { title: t('Kind'), cell: ({ sold }) => words(sold.kind === 'original' ? sold.type : sold.kind) },
    { title: t('Exchanged for'), cell: ({ complete }) => complete && cell(complete) },
    { title: t('Recipient'), cell: ({ complete }) => complete?.recipientName ?? '—' },
    { title: t('Total'), cell: ({ sold }) => euros(sold.total), isNumber: true },
  ];
  return (
    <div className="table">
      <Table rows={rows} keyOf={({ sold }) => sold.id} columns={columns} />
    </div>
  );
}
