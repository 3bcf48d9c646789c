import { type FragmentOf, type ResultOf, readFragment } from 'gql.tada';
import { Fragment } from 'react';
import { useQuery } from 'urql';
import { Family, InvoiceDetail, InvoiceRow } from '../documents.ts';
import { euros, inNumbers, onDay, priceEuros } from '../format.ts';
import { t, words } from '../language.ts';
import { Back } from '../parts/back.tsx';
import { type Invoice, priceOf } from '../parts/draft.ts';
import { Exchanges } from '../parts/exchanges.tsx';
import { Payments, Send } from '../parts/payments.tsx';
import { Status } from '../parts/status.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { useTitle } from '../parts/title.ts';
import { Trouble } from '../parts/trouble.tsx';
import { href } from '../route.ts';

type May = { readonly issue: boolean; readonly correct: boolean };

export function InvoicePage({ id, may }: { id: string; may: May }) {
  const [{ data, error }, retry] = useQuery({ query: InvoiceDetail, variables: { id } });
  const invoice = data?.invoice;
  const row = readFragment(InvoiceRow, invoice);
  useTitle(row?.number ?? t('Invoice'));
  if (error !== undefined && invoice == null) return <Trouble error={error} onRetry={retry} />;
  if (invoice == null || row == null) return <p>{t('Loading…')}</p>;
  const fault = invoice.verifactu?.error;
  // After an exchange there are returns and replacements instead.
  const isRectifiable = row.status === 'issued' && row.kind !== 'exchange' && invoice.exchangedBy === null;
  return (
    <>
      <Back to="invoices">{t('Invoices')}</Back>
      {error !== undefined && <Trouble error={error} onRetry={retry} />}
      <div className="head">
        <h1>
          {row.number} <Status status={row.status} registration={row.verifactu?.status} />
        </h1>
        <p className="actions">
          <a className="button" href={invoice.pdfUrl}>
            PDF
          </a>
          {may.issue && isRectifiable && (
            <a className="button" href={href(`invoices/${id}/rectify`)}>
              {t('Rectify')}
            </a>
          )}
        </p>
      </div>
      {fault != null && (
        <p className="trouble">
          {t('The tax agency says: {message} ({code})', {
            message: fault.message ?? '',
            code: fault.code ?? '—',
          })}
        </p>
      )}
      <div className="halves">
        <Facts invoice={invoice} row={row} />
        <Recipient recipient={invoice.recipient} customerId={invoice.externalCustomerId} />
      </div>
      <Lines invoice={invoice} total={row.total} />
      <FamilyOf invoice={invoice} id={id} />
      <Exchanges row={row} isPaid={invoice.paymentStatus !== null} may={may} />
      {row.status === 'issued' && <Payments invoice={invoice} invoiceId={id} mayRecord={may.issue} />}
      {may.issue && <Send invoice={invoice} invoiceId={id} />}
      <Proof invoice={invoice} row={row} mayCorrect={may.correct} />
    </>
  );
}

function Facts({ invoice, row }: { invoice: Invoice; row: ResultOf<typeof InvoiceRow> }) {
  const { payment, delivery, thirdParty, issuedBy } = invoice;
  const facts: readonly (readonly [label: string, value: string | null | undefined])[] = [
    [t('Issued on'), onDay(row.invoiceDate)],
    [t('Kind'), `${words(row.type)}, ${words(row.kind)}`],
    [t('Due on'), row.dueDate && onDay(row.dueDate)],
    [t('Paid by'), payment && [words(payment.means), payment.iban, payment.terms].filter(Boolean).join(', ')],
    [t('Delivered'), delivery && `${onDay(delivery.from)} – ${onDay(delivery.to)}`],
    [t('Purchase order'), invoice.references?.purchaseOrder],
    [t('Issued by'), issuedBy && [words(issuedBy), thirdParty?.name].filter(Boolean).join(', ')],
    [t('Notes'), invoice.notes],
  ];
  return (
    <dl className="facts">
      {facts
        .filter(([, value]) => value != null)
        .map(([label, value]) => (
          <Fragment key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </Fragment>
        ))}
    </dl>
  );
}

type RecipientProps = Readonly<{ recipient: Invoice['recipient']; customerId: string | null }>;

function Recipient({ recipient, customerId }: RecipientProps) {
  if (recipient == null) return null;
  const { name, companyName, taxId, email, address } = recipient;
  const lines = [
    companyName,
    taxId,
    address?.line1,
    address?.line2,
    [address?.postalCode, address?.city].filter(Boolean).join(' '),
    address?.country,
    email,
  ];
  return (
    <address>
      <strong>{name}</strong>
      {customerId !== null && (
        <a href={href(`customers/${encodeURIComponent(customerId)}`)}>{t('Their invoices')}</a>
      )}
      {lines.filter(Boolean).map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines of an address have no other name, and never change
        <span key={index}>{line}</span>
      ))}
    </address>
  );
}

function Lines({ invoice, total }: { invoice: Invoice; total: number }) {
  const columns: readonly Column<Invoice['lineItems'][number]>[] = [
    { title: t('Description'), cell: ({ description }) => description },
    {
      title: t('Quantity'),
      cell: ({ quantityDecimal, quantity }) => inNumbers(Number(quantityDecimal ?? quantity)),
      isNumber: true,
    },
    { title: t('Price'), cell: shownPrice, isNumber: true },
    { title: t('Tax'), cell: ({ taxItems }) => taxItems.map(({ name }) => name).join(', ') },
    { title: t('Amount'), cell: ({ subtotal }) => euros(subtotal), isNumber: true },
  ];
  return (
    <section aria-labelledby="lines">
      <h2 id="lines">{t('Lines')}</h2>
      <div className="table">
        <Table rows={invoice.lineItems} keyOf={({ id }) => id} columns={columns} />
      </div>
      <dl className="sums">
        <div>
          <dt>{t('Subtotal')}</dt>
          <dd>{euros(invoice.subtotal)}</dd>
        </div>
        {invoice.taxBreakdown.map(({ name, type, rate, base, amount }) => (
          <div key={`${type} ${rate} ${name}`}>
            <dt>{t('{tax} of {base}', { tax: name, base: euros(base) })}</dt>
            <dd>{euros(amount)}</dd>
          </div>
        ))}
        <div className="total">
          <dt>{t('Total')}</dt>
          <dd>{euros(total)}</dd>
        </div>
        {invoice.withholding !== null && (
          <div>
            <dt>{t('{tax} withheld', { tax: withheldName(invoice.withholding) })}</dt>
            <dd>{euros(-invoice.withholding.amount)}</dd>
          </div>
        )}
        {invoice.disbursements?.map(({ description, amount, reference }) => (
          <div key={`${description} ${reference} ${amount}`}>
            <dt>{[description, reference].filter(Boolean).join(', ')}</dt>
            <dd>{euros(amount)}</dd>
          </div>
        ))}
        {invoice.amountPayable != null && invoice.amountPayable !== total && (
          <div className="total">
            <dt>{t('To be paid')}</dt>
            <dd>{euros(invoice.amountPayable)}</dd>
          </div>
        )}
      </dl>
    </section>
  );
}

const withheldName = ({ type, rate }: NonNullable<Invoice['withholding']>) =>
  `${words(type).toUpperCase()} ${inNumbers(rate)} %`;

function shownPrice(line: Invoice['lineItems'][number]): string {
  const { cents, isGross } = priceOf(line);
  return isGross ? t('{price} with tax', { price: priceEuros(cents) }) : priceEuros(cents);
}

/** The invoices that correct one another, and what is left of them. */
function FamilyOf({ invoice, id }: { invoice: FragmentOf<typeof Family>; id: string }) {
  const { family } = readFragment(Family, invoice);
  const members = (family?.members ?? []).map((member) => readFragment(InvoiceRow, member));
  if (!family || members.length < 2) return null;
  return (
    <section aria-labelledby="family">
      <h2 id="family">{t('Corrections')}</h2>
      <ol className="family">
        {members.map(({ id: member, number, kind, total, status, verifactu }) => (
          <li key={member} aria-current={member === id ? 'true' : undefined}>
            <a href={href(`invoices/${member}`)}>{number}</a>
            <span>{words(kind)}</span>
            <Status status={status} registration={verifactu?.status} />
            <span className="number">{euros(total)}</span>
          </li>
        ))}
      </ol>
      {family.inForceTotal != null && (
        <p>
          {t('In force: {total}', { total: euros(family.inForceTotal) })}
          {family.creditableRemainder != null &&
            t('; {total} can still be credited', { total: euros(family.creditableRemainder) })}
        </p>
      )}
    </section>
  );
}

type ProofProps = {
  readonly invoice: Invoice;
  readonly row: ResultOf<typeof InvoiceRow>;
  readonly mayCorrect: boolean;
};

/** What shows that it is what it was: its records in the chain, and a proof that needs no database to be checked. */
function Proof({ invoice, row, mayCorrect }: ProofProps) {
  const save = () => {
    const file = new Blob([JSON.stringify(invoice.proof, null, 2)], { type: 'application/json' });
    const link = document.createElement('a');
    link.href = URL.createObjectURL(file);
    link.download = `${row.number}.proof.json`;
    link.click();
    URL.revokeObjectURL(link.href);
  };
  return (
    <section aria-labelledby="proof">
      <h2 id="proof">{t('Records and proof')}</h2>
      <ol className="records">
        {invoice.records.map(({ id, kind, position, hash, previousHash, status }) => (
          <li key={id}>
            <strong>{t('{kind}, position {position} in the chain', { kind: words(kind), position })}</strong>
            <Status status="issued" registration={status} />
            <dl>
              <dt>{t('Hash')}</dt>
              <dd>
                <code>{hash}</code>
              </dd>
              <dt>{t('Hash before')}</dt>
              <dd>
                <code>{previousHash ?? t('none: the first of its chain')}</code>
              </dd>
            </dl>
          </li>
        ))}
      </ol>
      <p className="actions">
        {invoice.verifactu != null && (
          <a className="button" href={invoice.verifactu.qrUrl} target="_blank" rel="noreferrer">
            {t('Look it up at the tax agency')}
          </a>
        )}
        {invoice.proof == null ? (
          <span>
            {t(
              'A proof can be had once a checkpoint covers the invoice, which is the next morning at the latest.',
            )}
          </span>
        ) : (
          <button type="button" className="quiet" onClick={save}>
            {t('Save the proof')}
          </button>
        )}
        {mayCorrect && row.status === 'issued' && (
          <a className="button" href={href(`invoices/${row.id}/amend`)}>
            {t('Amend the record')}
          </a>
        )}
        {mayCorrect && (row.status === 'issued' || invoice.records.some(isRefusedCancellation)) && (
          <a className="button" href={href(`invoices/${row.id}/void`)}>
            {t('Void')}
          </a>
        )}
      </p>
    </section>
  );
}

/** The tax agency has not taken it: voiding again sends another one. */
const isRefusedCancellation = (
  { kind, status }: Invoice['records'][number],
  index: number,
  all: Invoice['records'],
) => kind === 'cancellation' && status === 'rejected' && index === all.length - 1;
