import { useQuery } from 'urql';
import { Totals } from '../documents.ts';
import { euros, inMonth } from '../format.ts';
import { BarChart } from '../parts/bar-chart.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { go } from '../route.ts';

const YEARS = 5;

/** What a year came to, by month and by rate, added as a VAT book adds. */
export function TotalsPage({ chosen }: { chosen: URLSearchParams }) {
  const thisYear = new Date().getFullYear();
  const year = chosen.get('year') ?? String(thisYear);
  const filter = { issuedOn: { from: `${year}-01-01`, to: `${year}-12-31` } };
  const [{ data, error, fetching }] = useQuery({ query: Totals, variables: { filter } });
  const months = data?.months ?? [];
  const rates = (data?.rates ?? []).flatMap(({ byRate }) => byRate ?? []);
  return (
    <>
      <div className="head">
        <h1>{`Totals of ${year}`}</h1>
        <label>
          Year{' '}
          <select value={year} onChange={({ target }) => go('totals', { year: target.value })}>
            {Array.from({ length: YEARS }, (_, back) => thisYear - back).map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        </label>
      </div>
      {error !== undefined && <Trouble error={error} />}
      {data !== undefined && months.length === 0 && !fetching && <p>Nothing was invoiced in this year.</p>}
      {months.length > 0 && (
        <div className="plots">
          <section aria-labelledby="by-month">
            <h2 id="by-month">By month</h2>
            <BarChart
              label={`Invoiced in each month of ${year}`}
              bars={months.map(({ month, subtotal, tax }) => ({
                label: inMonth(month ?? ''),
                base: subtotal,
                tax,
              }))}
            />
            <Sums
              caption="Month"
              rows={months.map(({ month, subtotal, tax }) => [inMonth(month ?? ''), subtotal, tax])}
            />
          </section>
          <section aria-labelledby="by-rate">
            <h2 id="by-rate">By rate of tax</h2>
            <BarChart
              label={`Invoiced at each rate of tax in ${year}`}
              bars={rates.map(({ type, rate, base, tax }) => ({ label: nameOf(type, rate), base, tax }))}
            />
            <Sums
              caption="Rate"
              rows={rates.map(({ type, rate, base, tax }) => [nameOf(type, rate), base, tax])}
            />
          </section>
        </div>
      )}
    </>
  );
}

const nameOf = (type: string, rate: number) => (type === 'vat' ? `${rate} %` : `${type} ${rate} %`);

/** The plot in numbers, for those who cannot see it and for those who want to know. */
function Sums({ caption, rows }: { caption: string; rows: readonly (readonly [string, number, number])[] }) {
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
        {rows.map(([name, base, tax]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td className="number">{euros(base)}</td>
            <td className="number">{euros(tax)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
