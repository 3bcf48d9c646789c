import { clock } from '../../ground/lib/clock.ts';
import { type Html, html } from '../web/html.ts';
import { say, type Text } from './words.ts';

/** Small SVG plots, rendered on the server: they work without scripts and in print, and show the same as the table beside them. */

/** A value over time; null where there was no sample. */
export type Point = { readonly at: number; readonly value: number | null };

export type Plot = {
  /** Unique on the page. */
  readonly id: string;
  readonly title: Text;
  readonly points: readonly Point[];
  /** Bars for counts per interval, a line for values at an instant. */
  readonly kind: 'bars' | 'line';
  readonly format: (value: number) => string;
  /** How long it is for which a bar counts, in words. */
  readonly stretch: Text;
  /** What its first and its last moment are called. */
  readonly ends: readonly [Text, Text];
};

const WIDTH = 240;
const HEIGHT = 72;
/** Above, where the highest value stands. */
const TOP = 14;

/** One plot with its title, its highest and its last value as text. It does not depend on colours. */
export function plot({ id, title, points, kind, format, stretch, ends }: Plot): Html {
  const values = points.flatMap(({ value }) => (value === null ? [] : [value]));
  const last = values.at(-1);
  const highest = Math.max(0, ...values);
  const total = values.reduce((sum, value) => sum + value, 0);
  const caption =
    last === undefined
      ? say('No data yet.')
      : kind === 'bars'
        ? say('{total} in all, {most} at most in {time}.', {
            ...{ total: format(total), most: format(highest), time: say(stretch) },
          })
        : say('{last} at the end, {most} at most.', { last: format(last), most: format(highest) });
  return html`<figure class="plot"><figcaption><b>${say(title)}</b> <span class="soft">${caption}</span></figcaption>
<svg viewBox="0 0 ${WIDTH} ${HEIGHT + 18}" role="img" aria-labelledby="${id}-title ${id}-words"><title id="${id}-title">${say(title)}</title>
<desc id="${id}-words">${caption}</desc>
<line class="base" x1="0" y1="${HEIGHT}" x2="${WIDTH}" y2="${HEIGHT}"/>${
    last !== undefined &&
    html`<path class="${kind}" d="${kind === 'bars' ? bars(points, highest) : line(points, highest)}"/>
<text x="0" y="10">${format(highest)}</text>`
  }
<text x="0" y="${HEIGHT + 12}">${say(ends[0])}</text><text x="${WIDTH}" y="${HEIGHT + 12}" text-anchor="end">${say(ends[1])}</text></svg></figure>`;
}

/** A tenth of a unit is finer than any screen. */
const round = (value: number): number => Math.round(value * 10) / 10;

const heightOf = (value: number, highest: number): number =>
  highest === 0 ? HEIGHT : HEIGHT - (value / highest) * (HEIGHT - TOP);

function bars(points: readonly Point[], highest: number): string {
  const step = WIDTH / points.length;
  return points
    .map(({ value }, index) => {
      if (value === null || value === 0) return '';
      const y = round(heightOf(value, highest));
      return `M${round(index * step)} ${HEIGHT}V${y}H${round((index + 0.8) * step)}V${HEIGHT}Z`;
    })
    .join('');
}

/** Interrupted where there is no sample. */
function line(points: readonly Point[], highest: number): string {
  const step = WIDTH / points.length;
  return points
    .map(({ value }, index) => {
      if (value === null) return '';
      const [x, y] = [round((index + 0.5) * step), round(heightOf(value, highest))];
      const isSinglePoint = (points[index - 1]?.value ?? null) === null;
      return isSinglePoint ? `M${round(index * step)} ${y}H${x}` : `L${x} ${y}`;
    })
    .join('');
}

/** The stretches of a span that ends now, with what is known of each. */
export function intervalsUntilNow<Known>(
  { hours, minutes }: { readonly hours: number; readonly minutes: number },
  known: readonly (Known & { readonly since: string })[],
): { readonly at: number; readonly known: Known | null }[] {
  const step = minutes * 60_000;
  const bySince = new Map(known.map((one) => [new Date(one.since).getTime(), one]));
  const end = Math.floor(clock.now().getTime() / step) * step;
  const count = (hours * 60) / minutes;
  return Array.from({ length: count }, (_, index) => {
    const at = end - (count - 1 - index) * step;
    return { at, known: bySince.get(at) ?? null };
  });
}
