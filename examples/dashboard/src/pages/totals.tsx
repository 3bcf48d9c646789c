import { useQuery } from 'urql';
import { Totals } from '../documents.ts';
import { euros, inMonth, words } from '../format.ts';
import { type Bar, BarChart } from '../parts/bar-chart.tsx';
import { useTitle } from '../parts/title.ts';
import { Trouble } from '../parts/trouble.tsx';
import { go } from '../route.ts';

const YEARS = 5;

/** What a year came to, by month and by rate, added as a VAT book adds. */
export function TotalsPage({ chosen }: { chosen: URLSearchParams }) {
  const thisYear = new Date().getFullYear();
  const year = chosen.get('year') ?? String(thisYear);
  const recent = Array.from({ length: YEARS }, (_, back) => String(thisYear - back));
  const years = recent.includes(year) ? recent : [...recent, year];
  const filter = { issuedOn: { from: `${year}-01-01`, to: `${year}-12-31` } };
  const [{ data, error, fetching }, retry] = useQuery({ query: Totals, variables: { filter } });
  const months = data?.months ?? [];
  const named = monthsUntilNow(year).map((name) => {
    const known = months.find(({ month }) => month === name);
    const { subtotal: base = 0, tax = 0, count = 0 } = known ?? {};
    return { label: inMonth(name), base, tax, count };
  });
  useTitle(`Totals of ${year}`);
  const rates = (data?.rates ?? [])
    .flatMap(({ byRate }) => byRate ?? [])
    .map(({ type, rate, base, tax }) => ({ label: nameOf(type, rate), base, tax }));
  return (
    <>
      <div className="head">
        <h1>{`Totals of ${year}`}</h1>
        <label>
          Year{' '}
          <select value={year} onChange={({ target }) => go('totals', { year: target.value })}>
            {years.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        </label>
      </div>
      {error !== undefined && <Trouble error={error} onRetry={retry} />}
      {data === undefined && error === undefined && <p>Loading…</p>}
      {data !== undefined && months.length === 0 && !fetching && <p>Nothing was invoiced in this year.</p>}
      {months.length > 0 && (
        <div className="plots">
          <section aria-labelledby="by-month">
            <h2 id="by-month">By month</h2>
            <BarChart label={`Invoiced in each month of ${year}`} bars={named} />
            <Sums caption="Month" bars={named.filter(({ count }) => count > 0)} />
          </section>
          <section aria-labelledby="by-rate">
            <h2 id="by-rate">By rate of tax</h2>
            <BarChart label={`Invoiced at each rate of tax in ${year}`} bars={rates} />
            <Sums caption="Rate" bars={rates} />
          </section>
        </div>
      )}
    </>
  );
}

/** `2026-01` and so on, also those in which nothing was invoiced. */
function monthsUntilNow(year: string): string[] {
  const months = Array.from({ length: 12 }, (_, month) => `${year}-${String(month + 1).padStart(2, '0')}`);
  return months.filter((month) => month <= new Date().toISOString());
}

function nameOf(type: string, rate: number): string {
  if (type === 'vat') return `${rate} %`;
  return rate === 0 ? words(type) : `${words(type)} ${rate} %`;
}

/** The plot in numbers, for those who cannot see it and for those who want to know. */
function Sums({ caption, bars }: { caption: string; bars: readonly Bar[] }) {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{caption}</th>
          <th scope="col" className="number">
            <span className="key base" aria-hidden="true" />
            Base
          </th>
          <th scope="col" className="number">
            <span className="key tax" aria-hidden="true" />
            Tax
          </th>
        </tr>
      </thead>
      <tbody>
        {bars.map(({ label, base, tax }) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            <td className="number">{euros(base)}</td>
            <td className="number">{euros(tax)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
