import { useId } from 'react';
import { shortEuros } from '../format.ts';

export type Bar = { readonly label: string; readonly base: number; readonly tax: number };

type Props = {
  readonly bars: readonly Bar[];
  readonly label: string;
  /** Bars that lie, with a line each for a long name; otherwise they stand beside each other. */
  readonly isSideways?: boolean;
};

const WIDTH = 640;
const HEIGHT = 260;
const LEFT = 88;
const BOTTOM = 28;
const TOP = 12;
const ROW = 46;

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

function scaleOf(bars: readonly Bar[]) {
  const ends = bars.flatMap(({ base, tax }) => [base, base + tax]);
  const ticks = ticksOf(Math.min(0, ...ends), Math.max(0, ...ends));
  const [lowest = 0] = ticks;
  const highest = ticks.at(-1) ?? 0;
  return { ticks, lowest, highest, span: highest - lowest || 1 };
}

/** Bars of a base with its tax, which is hatched, on top; below nothing where more was credited than invoiced. */
export function BarChart(props: Props) {
  return props.isSideways === true ? <Sideways {...props} /> : <Upright {...props} />;
}

/** Colour is not all that tells the tax from its base. */
function Hatch({ id }: { id: string }) {
  return (
    <pattern id={id} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
      <rect className="tax" width="6" height="6" />
      <line className="hatch" x1="0" x2="0" y1="0" y2="6" />
    </pattern>
  );
}

const titleOf = ({ label, base, tax }: Bar) => `${label}: ${shortEuros(base)} + ${shortEuros(tax)}`;

function Upright({ bars, label }: Props) {
  const hatch = useId();
  const { ticks, highest, span } = scaleOf(bars);
  const y = (value: number) => TOP + ((highest - value) / span) * (HEIGHT - TOP - BOTTOM);
  const step = (WIDTH - LEFT) / Math.max(bars.length, 1);
  const thick = Math.min(step * 0.6, 56);
  return (
    <svg className="chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
      <Hatch id={hatch} />
      {ticks.map((tick) => (
        <g key={tick}>
          <line className="grid" x1={LEFT} x2={WIDTH} y1={y(tick)} y2={y(tick)} />
          <text className="scale" x={LEFT - 8} y={y(tick)} dy="0.32em" textAnchor="end">
            {shortEuros(tick)}
          </text>
        </g>
      ))}
      {bars.map((bar, index) => {
        const { label: name, base, tax } = bar;
        const x = LEFT + step * index + (step - thick) / 2;
        const part = (from: number, to: number) => ({
          ...{ x, width: thick },
          ...{ y: y(Math.max(from, to)), height: Math.abs(y(from) - y(to)) },
        });
        return (
          <g key={name}>
            <title>{titleOf(bar)}</title>
            <rect className="base" {...part(0, base)} />
            <rect className="of-tax" fill={`url(#${hatch})`} {...part(base, base + tax)} />
            <text
              // On a phone there is room for every second name.
              className={index % 2 === 0 ? 'scale' : 'scale second'}
              x={x + thick / 2}
              y={HEIGHT - 8}
              textAnchor="middle"
            >
              {name}
            </text>
          </g>
        );
      })}
      <line className="zero" x1={LEFT} x2={WIDTH} y1={y(0)} y2={y(0)} />
    </svg>
  );
}

function Sideways({ bars, label }: Props) {
  const hatch = useId();
  const { lowest, span } = scaleOf(bars);
  const x = (value: number) => ((value - lowest) / span) * WIDTH;
  const height = bars.length * ROW;
  return (
    <svg className="chart" viewBox={`0 0 ${WIDTH} ${height}`} role="img" aria-label={label}>
      <Hatch id={hatch} />
      {bars.map((bar, index) => {
        const { label: name, base, tax } = bar;
        const part = (from: number, to: number) => ({
          ...{ x: x(Math.min(from, to)), width: Math.abs(x(from) - x(to)) },
          ...{ y: index * ROW + 20, height: ROW - 28 },
        });
        return (
          <g key={name}>
            <title>{titleOf(bar)}</title>
            <text className="scale" x={x(0)} y={index * ROW + 14}>
              {name}
            </text>
            <rect className="base" {...part(0, base)} />
            <rect className="of-tax" fill={`url(#${hatch})`} {...part(base, base + tax)} />
          </g>
        );
      })}
      <line className="zero" x1={x(0)} x2={x(0)} y1={0} y2={height} />
    </svg>
  );
}
