import type { Argument, Command, Option } from 'commander';
import { examples } from './command.ts';
import { EXIT_STATUSES } from './exit-status.ts';

/** The guide that holds the reference, and the comments between which its parts stand. */
export const COMMAND_GUIDE = new URL('../../../docs/guides/command-line.md', import.meta.url);

const EXIT_CODES = [
  '<!-- exit codes: written by `npm run commands` -->',
  '<!-- end of exit codes -->',
] as const;
const COMMANDS = ['<!-- commands: written by `npm run commands` -->', '<!-- end of commands -->'] as const;

/** The options of every command, documented once at the beginning of the guide. */
const COMMON = ['--json', '--help', '--reason', '--live', '--version'];

/** The guide with its tables made anew from the commands. Throws when it has no place for one. */
export function withCommands(guide: string, program: Command): string {
  return inserted(inserted(guide, EXIT_CODES, exitCodes()), COMMANDS, commands(program));
}

function inserted(guide: string, [begin, end]: readonly [string, string], text: string): string {
  const [before, rest] = guide.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`the guide has no place for ${begin}`);
  return `${before}${begin}\n\n${text}\n${end}${after}`;
}

function exitCodes(): string {
  const rows = Object.entries(EXIT_STATUSES).map(
    ([name, { code, meaning }]) => `| ${code} | \`${name}\` | ${meaning} |`,
  );
  return `| exit code | \`error\` | meaning |\n| --- | --- | --- |\n${rows.join('\n')}\n`;
}

function commands(program: Command): string {
  return visible(program)
    .map((group) => {
      const children = visible(group);
      if (children.length === 0) return `### ${group.name()}\n\n${commandText(group, group.name())}`;
      const parts = children.map((child) => {
        const path = `${group.name()} ${child.name()}`;
        return `#### ${path}\n\n${commandText(child, path)}`;
      });
      return `### ${group.name()}\n\n${sentence(group.description())}\n\n${parts.join('\n')}`;
    })
    .join('\n');
}

function visible(command: Command): Command[] {
  return command.createHelp().visibleCommands(command);
}

function commandText(command: Command, path: string): string {
  const help = command.createHelp();
  const needs = help.visibleOptions(command).some(({ long, mandatory }) => long === '--reason' && mandatory);
  const rows = [...command.registeredArguments.map(operandRow), ...ownOptions(command).map(optionRow)];
  const table =
    rows.length === 0 ? '' : `| argument or option | meaning |\n| --- | --- |\n${rows.join('\n')}\n\n`;
  const common = needs ? ' Requires `--reason`, and `--live` for live data.' : '';
  const shown = examples(command).map(([description, line]) => `    # ${description}\n    lacre ${line}\n`);
  const called = ['lacre', path, ...command.registeredArguments.map(operandName)].join(' ');
  return `\`${called}\`: ${sentence(command.description())}${common}\n\n${table}${shown.join('\n')}`;
}

function ownOptions(command: Command): Option[] {
  const all = command.createHelp().visibleOptions(command);
  return all.filter(
    ({ long, mandatory }) => !COMMON.includes(long ?? '') || (long === '--reason' && !mandatory),
  );
}

function operandName(argument: Argument): string {
  return argument.variadic ? `<${argument.name()}> …` : `<${argument.name()}>`;
}

function operandRow(argument: Argument): string {
  const choices = argument.argChoices?.map((word) => `\`${word}\``).join(', ');
  return row(
    operandName(argument),
    choices === undefined ? argument.description : `${argument.description}: ${choices}`,
  );
}

function optionRow({ flags, description, mandatory, defaultValue }: Option): string {
  const without = typeof defaultValue === 'number' ? `; ${defaultValue} without it` : '';
  return row(flags, `${description}${mandatory ? '; required' : ''}${without}`);
}

/** A bar would end the cell. */
function row(name: string, description: string): string {
  return `| \`${name.replaceAll('|', '\\|')}\` | ${description.replaceAll('|', '\\|').replaceAll('<', '&lt;')} |`;
}

function sentence(text: string): string {
  const whole = `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
  return whole.endsWith('.') ? whole : `${whole}.`;
}
