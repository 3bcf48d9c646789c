import { decimal } from '../../web/format.ts';
import { type Html, html } from '../../web/html.ts';
import { section, table } from '../components.ts';
import { moment, number } from '../format.ts';
import { intervalsUntilNow, plot } from '../plot.ts';
import { said, say, spokenLanguage, type Text } from '../words.ts';

/** What is drawn of the last day and month. */

export const STRETCH_FIELDS = 'since issued registered delivered oldestUnsentSeconds databaseBytes';

export type Stretch = {
  readonly since: string;
  readonly issued: number;
  readonly registered: number;
  readonly delivered: number;
  readonly oldestUnsentSeconds: number;
  readonly databaseBytes: number;
};

type Span = {
  readonly id: string;
  readonly name: Text;
  readonly hours: number;
  readonly minutes: number;
  /** What one stretch is called. */
  readonly stretch: Text;
  readonly begins: Text;
};

/** As long as the stretches that GraphQL answers. */
const DAY: Span = {
  id: 'day',
  name: 'Last day|period',
  hours: 24,
  minutes: 30,
  stretch: 'half an hour',
  begins: '24 hours ago',
};
const MONTH: Span = {
  id: 'month',
  name: 'Last month',
  hours: 720,
  minutes: 1_440,
  stretch: 'a day',
  begins: '30 days ago',
};

const waited = (seconds: number): string =>
  seconds < 120
    ? `${number(seconds)} s`
    : seconds < 7_200
      ? `${number(Math.round(seconds / 60))} min`
      : `${number(Math.round(seconds / 3_600))} h`;

const bytes = (value: number): string =>
  value < 2 ** 30
    ? `${number(Math.round(value / 2 ** 20))} MiB`
    : `${decimal((value / 2 ** 30).toFixed(1), spokenLanguage())} GiB`;

const DRAWN = [
  { measure: 'issued', title: 'Invoices issued', kind: 'bars', format: number },
  { measure: 'registered', title: 'Records registered', kind: 'bars', format: number },
  { measure: 'oldestUnsentSeconds', title: 'Oldest record unsent', kind: 'line', format: waited },
  { measure: 'delivered', title: 'Webhook deliveries', kind: 'bars', format: number },
  { measure: 'databaseBytes', title: 'Database on disk', kind: 'line', format: bytes },
] as const;

/** The plots of both spans, each with a table of the same values. */
export function history(day: readonly Stretch[], month: readonly Stretch[]): Html {
  return section('History', html`${span(DAY, day)}${span(MONTH, month)}`, 'history');
}

function span({ id, name, stretch: ofOne, begins, ...length }: Span, known: readonly Stretch[]): Html {
  const stretches = intervalsUntilNow(length, known);
  const plots = DRAWN.map(({ measure, title, kind, format }) =>
    plot({
      ...{ id: `${id}-${measure}`, title, kind, format, stretch: ofOne, ends: [begins, 'now'] as const },
      points: stretches.map((stretch) => ({ at: stretch.at, value: stretch.known?.[measure] ?? null })),
    }),
  );
  const columns = [
    { head: 'From' as const, cell: ({ since }: Stretch) => moment(since) },
    ...DRAWN.map(({ measure, title, format }) => ({
      ...{ head: title, kind: 'amount' as const },
      cell: (stretch: Stretch) => format(stretch[measure]),
    })),
  ];
  return html`<h3>${say(name)}</h3><div class="card plots">${plots}</div>
<details><summary>${say('{name} as a table', { name: say(name) })}</summary>${table(said('{name}, by interval', { name: say(name) }), columns, known.toReversed(), 'No data yet: a worker takes a sample every five minutes.')}</details>`;
}
