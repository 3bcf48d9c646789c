import { describeSettings, type SettingRow } from './settings.ts';

/** The guide with the table, and the comments that enclose it. */
export const SETTINGS_GUIDE = new URL('../../../docs/guides/deployment.md', import.meta.url);
const BEGIN = '<!-- settings: written by `npm run settings` -->';
const END = '<!-- end of settings -->';

/** The guide with its table written again. Throws if the guide has no comments for it. */
export function withSettingsTable(guide: string): string {
  const [before, rest] = guide.split(BEGIN);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined) throw new Error('the guide has no place for the settings');
  return `${before}${BEGIN}\n${settingsTables(describeSettings())}\n${END}${after}`;
}

/** A table for each group, in the order of the declarations. */
function settingsTables(rows: readonly SettingRow[]): string {
  const groups = [...new Set(rows.map(({ group }) => group))];
  return groups
    .map((group) => {
      const lines = rows.filter((row) => row.group === group).map(line);
      return `\n### ${group}\n\n| setting | what it sets | values | default |\n| --- | --- | --- | --- |\n${lines.join('\n')}\n`;
    })
    .join('');
}

function line({ name, meaning, values, standard, secret }: SettingRow): string {
  const file = secret ? `, \`${name}_FILE\`` : '';
  return `| \`${name}\`${file} | ${[meaning, values, standard].map(cell).join(' | ')} |`;
}

/** A bar would end the cell. */
const cell = (text: string) => text.replaceAll('|', '\\|');
