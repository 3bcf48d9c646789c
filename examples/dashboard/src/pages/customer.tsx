import type { ResultOf } from 'gql.tada';
import { type FormEvent, useState } from 'react';
import { useMutation, useQuery } from 'urql';
import { CustomerDetail, SaveCustomer } from '../documents-customers.ts';
import { refusalOf } from '../errors.ts';
import { euros, inNumbers } from '../format.ts';
import { t } from '../language.ts';
import { Back } from '../parts/back.tsx';
import { Input } from '../parts/field.tsx';
import { InvoiceTable } from '../parts/invoice-table.tsx';
import { type Refused, withTitles } from '../parts/refusal.tsx';
import { useTitle } from '../parts/title.ts';
import { Trouble } from '../parts/trouble.tsx';
import { href } from '../route.ts';

type Known = ResultOf<typeof CustomerDetail>;

/** A customer: what is known, what was invoiced and is due, and a form to change it. */
export function CustomerPage({ id, mayIssue }: { id: string; mayIssue: boolean }) {
  const externalId = decodeURIComponent(id);
  const [{ data, error }, retry] = useQuery({ query: CustomerDetail, variables: { id: externalId } });
  const [marked, setMarked] = useState<readonly string[]>([]);
  const customer = data?.customer;
  const name = customer?.companyName ?? customer?.name ?? externalId;
  useTitle(name);
  if (customer == null) {
    return error === undefined ? <p>{t('Loading…')}</p> : <Trouble error={error} onRetry={retry} />;
  }
  const { totals, invoices } = customer;
  const mark = (invoice: string, isMarked: boolean) =>
    setMarked((before) => (isMarked ? [...before, invoice] : before.filter((each) => each !== invoice)));
  return (
    <>
      <Back to="customers">{t('Customers')}</Back>
      <div className="head">
        <h1>{name}</h1>
        {totals != null && (
          <p>
            {t('{count} invoices, {total}, of which {due} are due', {
              ...{ count: inNumbers(totals.count), total: euros(totals.total) },
              due: euros(totals.amountDue ?? 0),
            })}
          </p>
        )}
      </div>
      <Details customer={customer} isReadOnly={!mayIssue} />
      <div className="table">
        <InvoiceTable
          invoices={(invoices?.edges ?? []).flatMap(({ node }) => (node === null ? [] : [node]))}
          {...(mayIssue
            ? {
                beside: (invoice: string, number: string) => (
                  <input
                    type="checkbox"
                    aria-label={t('Mark {number}', { number })}
                    onChange={({ target }) => mark(invoice, target.checked)}
                  />
                ),
              }
            : {})}
        />
        {marked.length > 1 && (
          <p>
            <a className="button" href={href('correct', { ids: marked.join(',') })}>
              {t('Correct {count} together', { count: marked.length })}
            </a>
          </p>
        )}
      </div>
    </>
  );
}

type DetailsProps = { readonly customer: NonNullable<Known['customer']>; readonly isReadOnly: boolean };

function Details({ customer, isReadOnly }: DetailsProps) {
  const [{ fetching, data }, save] = useMutation(SaveCustomer);
  const [refused, setRefused] = useState<Refused | null>(null);
  const { name, companyName, taxId, email, address, externalCustomerId } = customer;
  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = new FormData(event.currentTarget);
    const text = (field: string) => String(typed.get(`input.${field}`)).trim() || null;
    const { error } = await save({
      input: {
        ...{ externalCustomerId, integrationId: null, taxIdType: customer.taxIdType },
        ...{
          name: text('name'),
          companyName: text('companyName'),
          taxId: text('taxId'),
          email: text('email'),
        },
        taxIdCountry: customer.taxIdCountry,
        address: {
          ...{ line1: text('address.line1'), line2: text('address.line2'), city: text('address.city') },
          ...{ postalCode: text('address.postalCode'), country: text('address.country') },
        },
      },
    });
    setRefused(error === undefined ? null : withTitles(refusalOf(error)));
  };
  const field = (path: string, label: string, value: string | null | undefined) => (
    <Input
      {...{ path: `input.${path}`, label, faults: refused?.faults ?? [] }}
      defaultValue={value ?? ''}
      readOnly={isReadOnly}
    />
  );
  return (
    <form onSubmit={send} noValidate>
      <fieldset>
        <legend>{t('Details')}</legend>
        {refused !== null && (
          <p className="trouble" role="alert">
            {refused.message}
          </p>
        )}
        <div className="columns">
          {field('name', t('Name'), name)}
          {field('companyName', t('Company'), companyName)}
          {field('taxId', t('NIF'), taxId)}
          {field('email', t('E-mail'), email)}
          {field('address.line1', t('Address'), address?.line1)}
          {field('address.line2', t('Second line'), address?.line2)}
          {field('address.postalCode', t('Postal code'), address?.postalCode)}
          {field('address.city', t('City'), address?.city)}
          {field('address.country', t('Country'), address?.country)}
        </div>
        {!isReadOnly && (
          <p className="actions">
            <button type="submit" disabled={fetching}>
              {t('Save')}
            </button>
            {data?.saveCustomer != null && refused === null && <span role="status">{t('Saved.')}</span>}
          </p>
        )}
      </fieldset>
    </form>
  );
}
