import { type FragmentOf, type ResultOf, readFragment } from 'gql.tada';
import { useQuery } from 'urql';
import { Family, InvoiceDetail, InvoiceRow } from '../documents.ts';
import { euros, onDay, priceEuros, words } from '../format.ts';
import { type Invoice, priceOf } from '../parts/draft.ts';
import { Status } from '../parts/status.tsx';
import { useTitle } from '../parts/title.ts';
import { Trouble } from '../parts/trouble.tsx';
import { href } from '../route.ts';

export function InvoicePage({ id, mayIssue }: { id: string; mayIssue: boolean }) {
  const [{ data, error }, retry] = useQuery({ query: InvoiceDetail, variables: { id } });
  const invoice = data?.invoice;
  const row = readFragment(InvoiceRow, invoice);
  useTitle(row?.number ?? 'Invoice');
  if (error !== undefined && invoice == null) return <Trouble error={error} onRetry={retry} />;
  if (invoice == null || row == null) return <p>Loading…</p>;
  const fault = invoice.verifactu?.error;
  return (
    <>
      <nav aria-label="Breadcrumb">
        <a href={href('invoices')}>‹ Invoices</a>
      </nav>
      {error !== undefined && <Trouble error={error} onRetry={retry} />}
      <div className="head">
        <h1>
          {row.number} <Status status={row.status} registration={row.verifactu?.status} />
        </h1>
        <p className="actions">
          <a className="button" href={invoice.pdfUrl}>
            PDF
          </a>
          {mayIssue && row.status === 'issued' && (
            <a className="button" href={href(`invoices/${id}/rectify`)}>
              Rectify
            </a>
          )}
        </p>
      </div>
      {fault != null && <p className="trouble">{`The tax agency says: ${fault.message} (${fault.code})`}</p>}
      <div className="halves">
        <Facts invoice={invoice} row={row} />
        <Recipient recipient={invoice.recipient} />
      </div>
      <Lines invoice={invoice} total={row.total} />
      <FamilyOf invoice={invoice} id={id} />
      <Proof invoice={invoice} number={row.number} />
    </>
  );
}

function Facts({ invoice, row }: { invoice: Invoice; row: ResultOf<typeof InvoiceRow> }) {
  return (
    <dl className="facts">
      <dt>Issued on</dt>
      <dd>{onDay(row.invoiceDate)}</dd>
      <dt>Kind</dt>
      <dd>{`${row.type}, ${words(row.kind)}`}</dd>
      {invoice.notes != null && (
        <>
          <dt>Notes</dt>
          <dd>{invoice.notes}</dd>
        </>
      )}
    </dl>
  );
}

function Recipient({ recipient }: { recipient: Invoice['recipient'] }) {
  if (recipient == null) return null;
  const { name, companyName, taxId, address } = recipient;
  const lines = [
    companyName,
    taxId,
    address?.line1,
    [address?.postalCode, address?.city].filter(Boolean).join(' '),
    address?.country,
  ];
  return (
    <address>
      <strong>{name}</strong>
      {lines.filter(Boolean).map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines of an address have no other name, and never change
        <span key={index}>{line}</span>
      ))}
    </address>
  );
}

function Lines({ invoice, total }: { invoice: Invoice; total: number }) {
  return (
    <section aria-labelledby="lines">
      <h2 id="lines">Lines</h2>
      <div className="table">
        <table className="cards">
          <thead>
            <tr>
              <th scope="col">Description</th>
              <th scope="col" className="number">
                Quantity
              </th>
              <th scope="col" className="number">
                Price
              </th>
              <th scope="col">Tax</th>
              <th scope="col" className="number">
                Amount
              </th>
            </tr>
          </thead>
          <tbody>
            {invoice.lineItems.map((line) => (
              <LineRow line={line} key={line.id} />
            ))}
          </tbody>
        </table>
      </div>
      <dl className="sums">
        <div>
          <dt>Subtotal</dt>
          <dd>{euros(invoice.subtotal)}</dd>
        </div>
        {invoice.taxBreakdown.map(({ name, base, amount }) => (
          <div key={name}>
            <dt>{`${name} of ${euros(base)}`}</dt>
            <dd>{euros(amount)}</dd>
          </div>
        ))}
        <div className="total">
          <dt>Total</dt>
          <dd>{euros(total)}</dd>
        </div>
        {invoice.withholding !== null && (
          <div>
            <dt>{`${words(invoice.withholding.type).toUpperCase()} ${invoice.withholding.rate} % withheld`}</dt>
            <dd>{euros(-invoice.withholding.amount)}</dd>
          </div>
        )}
      </dl>
    </section>
  );
}

function LineRow({ line }: { line: Invoice['lineItems'][number] }) {
  const { cents, isGross } = priceOf(line);
  return (
    <tr>
      <th scope="row">{line.description}</th>
      <td className="number">{line.quantityDecimal ?? line.quantity}</td>
      <td className="number">{isGross ? `${priceEuros(cents)} with tax` : priceEuros(cents)}</td>
      <td>{line.taxItems.map(({ name }) => name).join(', ')}</td>
      <td className="number">{euros(line.subtotal)}</td>
    </tr>
  );
}

/** The invoices that correct one another, and what is left of them. */
function FamilyOf({ invoice, id }: { invoice: FragmentOf<typeof Family>; id: string }) {
  const { family } = readFragment(Family, invoice);
  const members = (family?.members ?? []).map((member) => readFragment(InvoiceRow, member));
  if (!family || members.length < 2) return null;
  return (
    <section aria-labelledby="family">
      <h2 id="family">Corrections</h2>
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
          {`In force: ${euros(family.inForceTotal)}`}
          {family.creditableRemainder != null &&
            `; ${euros(family.creditableRemainder)} can still be credited`}
        </p>
      )}
    </section>
  );
}

/** What shows that it is what it was: its records in the chain, and a proof that needs no database to be checked. */
function Proof({ invoice, number }: { invoice: Invoice; number: string }) {
  const save = () => {
    const file = new Blob([JSON.stringify(invoice.proof, null, 2)], { type: 'application/json' });
    const link = document.createElement('a');
    link.href = URL.createObjectURL(file);
    link.download = `${number}.proof.json`;
    link.click();
    URL.revokeObjectURL(link.href);
  };
  return (
    <section aria-labelledby="proof">
      <h2 id="proof">Records and proof</h2>
      <ol className="records">
        {invoice.records.map(({ id, kind, position, hash, previousHash, status }) => (
          <li key={id}>
            <strong>{`${words(kind)}, position ${position} in the chain`}</strong>
            <Status status="issued" registration={status} />
            <dl>
              <dt>Hash</dt>
              <dd>
                <code>{hash}</code>
              </dd>
              <dt>Hash before</dt>
              <dd>
                <code>{previousHash ?? 'none: the first of its chain'}</code>
              </dd>
            </dl>
          </li>
        ))}
      </ol>
      <p className="actions">
        {invoice.verifactu != null && (
          <a className="button" href={invoice.verifactu.qrUrl} target="_blank" rel="noreferrer">
            Look it up at the tax agency
          </a>
        )}
        {invoice.proof == null ? (
          <span>
            A proof can be had once a checkpoint covers the invoice, which is the next morning at the latest.
          </span>
        ) : (
          <button type="button" className="quiet" onClick={save}>
            Save the proof
          </button>
        )}
      </p>
    </section>
  );
}
