import { shortEuros } from '../format.ts';

export type Bar = { readonly label: string; readonly base: number; readonly tax: number };

const WIDTH = 640;
const HEIGHT = 260;
const LEFT = 88;
const BOTTOM = 28;
const TOP = 12;

/** Four round steps or a few more, from below the lowest to above the highest, zero among them. */
function ticksOf(lowest: number, highest: number): number[] {
  const rough = (highest - lowest) / 4;
  if (rough === 0) return [0];
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((digit) => digit * power >= rough) ?? 10);
  const first = Math.floor(lowest / step);
  const count = Math.ceil(highest / step) - first + 1;
  return Array.from({ length: count }, (_, index) => (first + index) * step);
}

/** Bars of a base with its tax on top; below nothing where more was credited than invoiced. */
export function BarChart({ bars, label }: { bars: readonly Bar[]; label: string }) {
  const ends = bars.flatMap(({ base, tax }) => [base, base + tax]);
  const ticks = ticksOf(Math.min(0, ...ends), Math.max(0, ...ends));
  const [lowest = 0] = ticks;
  const highest = ticks.at(-1) ?? 0;
  const span = highest - lowest || 1;
  const y = (value: number) => TOP + ((highest - value) / span) * (HEIGHT - TOP - BOTTOM);
  const step = (WIDTH - LEFT) / Math.max(bars.length, 1);
  const thick = Math.min(step * 0.6, 56);
  return (
    <svg className="chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
      {ticks.map((tick) => (
        <g key={tick}>
          <line className="grid" x1={LEFT} x2={WIDTH} y1={y(tick)} y2={y(tick)} />
          <text className="scale" x={LEFT - 8} y={y(tick)} dy="0.32em" textAnchor="end">
            {shortEuros(tick)}
          </text>
        </g>
      ))}
      {bars.map(({ label: name, base, tax }, index) => {
        const x = LEFT + step * index + (step - thick) / 2;
        const part = (from: number, to: number) => ({
          x,
          width: thick,
          y: y(Math.max(from, to)),
          height: Math.abs(y(from) - y(to)),
        });
        return (
          <g key={name}>
            <title>{`${name}: ${shortEuros(base)} + ${shortEuros(tax)}`}</title>
            <rect className="base" {...part(0, base)} />
            <rect className="tax" {...part(base, base + tax)} />
            <text className="scale" x={x + thick / 2} y={HEIGHT - 8} textAnchor="middle">
              {name}
            </text>
          </g>
        );
      })}
      <line className="zero" x1={LEFT} x2={WIDTH} y1={y(0)} y2={y(0)} />
    </svg>
  );
}
