import { useEffect, useState } from 'react';
import { useQuery } from 'urql';
import { Preview } from '../documents.ts';
import { euros, inNumbers } from '../format.ts';
import { t } from '../language.ts';
import type { Draft, Rectifies } from './draft.ts';
import { isComplete, requestOf } from './request.ts';

/** A key may ask some sixty times a minute: nothing is asked while somebody types. */
const PAUSE_MS = 600;

/** What it would come to, by the service's own rounding, with what is legal but probably not meant. */
export function PreviewOf({ draft, rectifies }: { draft: Draft; rectifies: Rectifies | null }) {
  const [settled, setSettled] = useState(draft);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(draft), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [draft]);
  const [{ data, error }] = useQuery({
    query: Preview,
    variables: { input: requestOf(settled, rectifies) },
    pause: !isComplete(settled),
  });
  const preview = error === undefined && isComplete(settled) ? data?.validateInvoice : null;
  const { withholding, amountPayable } = preview ?? {};
  return (
    <>
      <dl className="sums" aria-label={t('Preview')}>
        {preview?.taxBreakdown.map(({ name, type, rate, base, amount }) => (
          <div key={`${type} ${rate} ${name}`}>
            <dt>{t('{tax} of {base}', { tax: name, base: euros(base) })}</dt>
            <dd>{euros(amount)}</dd>
          </div>
        ))}
        <div className="total">
          <dt>{t('Total')}</dt>
          <dd>{preview ? euros(preview.total) : '—'}</dd>
        </div>
        {withholding != null && (
          <div>
            <dt>{t('{tax} withheld', { tax: `IRPF ${inNumbers(withholding.rate)} %` })}</dt>
            <dd>{euros(-withholding.amount)}</dd>
          </div>
        )}
        {amountPayable != null && amountPayable !== preview?.total && (
          <div className="total">
            <dt>{t('To be paid')}</dt>
            <dd>{euros(amountPayable)}</dd>
          </div>
        )}
      </dl>
      {preview != null && preview.warnings.length > 0 && (
        <ul className="warnings" role="status">
          {preview.warnings.map(({ field, message }) => (
            <li key={`${field} ${message}`}>{message}</li>
          ))}
        </ul>
      )}
    </>
  );
}
