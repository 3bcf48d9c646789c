import type { CombinedError } from '@urql/core';
import { useState } from 'react';
import { useClient, useQuery } from 'urql';
import { Exports, NewestDay, Totals } from '../documents-totals.ts';
import { euros, inMonth, inNumbers } from '../format.ts';
import { t, words } from '../language.ts';
import { type Bar, BarChart } from '../parts/bar-chart.tsx';
import { useTitle } from '../parts/title.ts';
import { Trouble } from '../parts/trouble.tsx';
import { go } from '../route.ts';

const YEARS = 5;

/** What a year came to, by month and by rate, added as a VAT book adds. */
export function TotalsPage({ chosen }: { chosen: URLSearchParams }) {
  // A test environment may have lived through more time than we have.
  const [{ data: newest, error: unknown }] = useQuery({ query: NewestDay });
  const latest = newest?.invoices?.edges[0]?.node?.issuedOn ?? '';
  const today = [latest, new Date().toISOString().slice(0, 10)].sort().at(-1)!;
  const thisYear = Number(today.slice(0, 4));
  const year = chosen.get('year') ?? String(thisYear);
  const recent = Array.from({ length: YEARS }, (_, back) => String(thisYear - back));
  const years = recent.includes(year) ? recent : [...recent, year];
  const filter = { issuedOn: { from: `${year}-01-01`, to: `${year}-12-31` } };
  const [{ data, error, fetching }, retry] = useQuery({
    query: Totals,
    variables: { filter },
    pause: newest === undefined && unknown === undefined,
  });
  const months = data?.months ?? [];
  const whole = data?.year?.[0];
  const named = monthsUntil(today, year).map((name) => {
    const known = months.find(({ month }) => month === name);
    const { subtotal: base = 0, tax = 0, count = 0 } = known ?? {};
    return { label: inMonth(name), base, tax, count };
  });
  const title = t('Totals of {year}', { year });
  useTitle(title);
  const rates = (data?.rates ?? [])
    .flatMap(({ byRate }) => byRate ?? [])
    .map(({ type, rate, base, tax }) => ({
      label: nameOf(type, rate),
      // The surcharge is paid on a base that the line's VAT has too: it is counted there.
      base: type === 'es_recargo_equivalencia' ? 0 : base,
      tax,
    }));
  return (
    <>
      <div className="head">
        <h1>{title}</h1>
        <label>
          {t('Year')}{' '}
          <select value={year} onChange={({ target }) => go('totals', { year: target.value })}>
            {years.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        </label>
      </div>
      {error !== undefined && <Trouble error={error} onRetry={retry} />}
      {data === undefined && error === undefined && <p>{t('Loading…')}</p>}
      {data !== undefined && months.length === 0 && !fetching && (
        <p>{t('Nothing was invoiced in this year.')}</p>
      )}
      {whole !== undefined && whole.count > 0 && (
        <dl className="figures">
          {[
            [t('Invoices'), inNumbers(whole.count)],
            [t('Base'), euros(whole.subtotal)],
            [t('Tax'), euros(whole.tax)],
            [t('Total'), euros(whole.total)],
            [t('Still due'), euros(whole.amountDue ?? 0)],
          ].map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {months.length > 0 && (
        <div className="plots">
          <section aria-labelledby="by-month">
            <h2 id="by-month">{t('By month')}</h2>
            <BarChart label={t('Invoiced in each month of {year}', { year })} bars={named} />
            <Sums caption={t('Month')} bars={named.filter(({ count }) => count > 0)} />
          </section>
          <section aria-labelledby="by-rate">
            <h2 id="by-rate">{t('By rate of tax')}</h2>
            <BarChart label={t('Invoiced at each rate of tax in {year}', { year })} bars={rates} isSideways />
            <Sums caption={t('Rate')} bars={rates} />
          </section>
        </div>
      )}
      {months.length > 0 && <Export year={year} />}
    </>
  );
}

const BOOKS = ['csv', 'xlsx'] as const;

/** The register book of the year, as the agency wants it: made when it is asked for. */
function Export({ year }: { year: string }) {
  const client = useClient();
  const [error, setError] = useState<CombinedError>();
  const download = async (format: (typeof BOOKS)[number]) => {
    const variables = { from: `${year}-01-01`, to: `${year}-12-31`, format };
    const answer = await client.query(Exports, variables, { requestPolicy: 'network-only' }).toPromise();
    setError(answer.error);
    if (answer.data?.registerBook != null) location.assign(answer.data.registerBook.downloadUrl);
  };
  return (
    <section aria-labelledby="export">
      <h2 id="export">{t('Register book')}</h2>
      {error !== undefined && <Trouble error={error} onRetry={() => setError(undefined)} />}
      <p className="actions">
        {BOOKS.map((format) => (
          <button type="button" className="quiet" key={format} onClick={() => download(format)}>
            {t('Download as {format}', { format: format.toUpperCase() })}
          </button>
        ))}
      </p>
    </section>
  );
}

/** `2026-01` and so on, also those in which nothing was invoiced. */
function monthsUntil(today: string, year: string): string[] {
  const months = Array.from({ length: 12 }, (_, month) => `${year}-${String(month + 1).padStart(2, '0')}`);
  return months.filter((month) => month <= today);
}

function nameOf(type: string, rate: number): string {
  if (type === 'vat') return `${inNumbers(rate)} %`;
  return rate === 0 ? words(type) : `${words(type)} ${inNumbers(rate)} %`;
}

const sum = (amounts: readonly number[]) => amounts.reduce((total, each) => total + each, 0);

/** The plot in numbers, for those who cannot see it and for those who want to know. */
function Sums({ caption, bars }: { caption: string; bars: readonly Bar[] }) {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{caption}</th>
          <th scope="col" className="number">
            <span className="key base" aria-hidden="true" />
            {t('Base')}
          </th>
          <th scope="col" className="number">
            <span className="key tax" aria-hidden="true" />
            {t('Tax')}
          </th>
        </tr>
      </thead>
      <tbody>
        {bars.map(({ label, base, tax }) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            <td className="number">{base === 0 && tax !== 0 ? '—' : euros(base)}</td>
            <td className="number">{euros(tax)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{t('Total')}</th>
          <td className="number">{euros(sum(bars.map(({ base }) => base)))}</td>
          <td className="number">{euros(sum(bars.map(({ tax }) => tax)))}</td>
        </tr>
      </tfoot>
    </table>
  );
}
