import { shortEuros } from '../format.ts';

export type Bar = { readonly label: string; readonly base: number; readonly tax: number };

const WIDTH = 640;
const HEIGHT = 260;
const LEFT = 64;
const BOTTOM = 28;
const TOP = 12;

/** A number of ones, twos or fives above which the scale need not go. */
function roundUp(value: number): number {
  if (value <= 0) return 0;
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].map((digit) => digit * power).find((step) => step >= value) ?? value;
}

/** Bars of a base with its tax on top; below nothing where more was credited than invoiced. */
export function BarChart({ bars, label }: { bars: readonly Bar[]; label: string }) {
  const totals = bars.map(({ base, tax }) => base + tax);
  const highest = roundUp(Math.max(0, ...totals));
  const lowest = -roundUp(Math.max(0, ...totals.map((total) => -total)));
  const span = highest - lowest || 1;
  const y = (value: number) => TOP + ((highest - value) / span) * (HEIGHT - TOP - BOTTOM);
  const step = (WIDTH - LEFT) / Math.max(bars.length, 1);
  const thick = Math.min(step * 0.6, 56);
  const ticks = [0, 0.25, 0.5, 0.75, 1].map((part) => lowest + part * span);
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
