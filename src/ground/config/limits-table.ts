import type { Limit } from '../lib/limit.ts';
import { LIMITS } from '../lib/limits.ts';

/** The guide with the table, and the comments that enclose it. */
export const LIMITS_GUIDE = new URL('../../../docs/guides/limits.md', import.meta.url);
const BEGIN = '<!-- limits: written by `npm run limits` -->';
const END = '<!-- end of limits -->';

/** The guide with its table written again. Throws if the guide has no comments for it. */
export function withLimitsTable(guide: string): string {
  const [before, rest] = guide.split(BEGIN);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined) throw new Error('the guide has no place for the limits');
  const limits: readonly Limit[] = Object.values(LIMITS);
  const groups = [...new Set(limits.map(({ group }) => group))];
  const tables = groups.map((group) => tableOf(group, limits));
  return `${before}${BEGIN}\n${tables.join('')}\n${END}${after}`;
}

function tableOf(group: string, limits: readonly Limit[]): string {
  const rows = limits
    .filter((limit) => limit.group === group)
    .map(({ bounds, beyond, reason, setting, ...limit }) => {
      const value = setting === undefined ? written(limit) : `${written(limit)} (\`${setting}\`)`;
      return `| ${[bounds, value, beyond, reason].map((text) => text.replaceAll('|', '\\|')).join(' | ')} |`;
    });
  return `\n### ${group}\n\n| what | limit | beyond it | why |\n| --- | --- | --- | --- |\n${rows.join('\n')}\n`;
}

/** As readers expect it: bytes in the largest unit that gives a whole number, and likewise times. */
function written({ value, unit }: Pick<Limit, 'value' | 'unit'>): string {
  if (unit === 'bytes per second') return `${written({ value, unit: 'bytes' })} a second`;
  if (unit === 'bytes' && value % (1024 * 1024) === 0) return `${value / (1024 * 1024)} MiB`;
  if (unit === 'bytes' && value % 1024 === 0) return `${value / 1024} KiB`;
  if (unit === 'ms' && value % 1_000 === 0) return `${value / 1_000} s`;
  if (unit === 'seconds') return `${value} s`;
  const figure = value.toLocaleString('en-US');
  return unit === 'items' ? figure : `${figure} ${unit}`;
}
