import type { Command, Option } from 'commander';
import { type CliRuntime, standaloneCommand } from './command.ts';
import { choiceOperand } from './options.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;

/** Written once from the commands as they are, so that completing starts no program. */
export function completion(program: Command, runtime: CliRuntime): void {
  standaloneCommand(program, runtime, {
    name: 'completion',
    description: 'prints a completion script for a shell',
    details:
      'Prints a script that completes subjects, commands, options and their values. bash: source it from ~/.bashrc. zsh: write it to a file _lacre in a folder of $fpath. fish: write it to ~/.config/fish/completions/lacre.fish.',
    parameters: { shell: choiceOperand(SHELLS, 'the shell') },
    examples: [
      ['For bash', 'completion bash > lacre-completion.bash'],
      ['For zsh', 'completion zsh > _lacre'],
      ['For fish', 'completion fish > lacre.fish'],
    ],
    async run({ json }, { shell }) {
      const script = WRITERS[shell](nodesOf(program));
      return json ? { shell, script } : script;
    },
  });
}

/** What may come next after some words. */
type CommandNode = {
  /** The words so far, without the program's name. */
  readonly path: readonly string[];
  readonly commands: readonly { readonly name: string; readonly description: string }[];
  readonly options: readonly {
    readonly name: string;
    readonly description: string;
    readonly value: ValueKind;
  }[];
  /** What its first operands may be. */
  readonly choices: readonly string[];
};

type ValueKind = 'nothing' | 'anything' | 'file' | readonly string[];

function nodesOf(command: Command, path: readonly string[] = []): CommandNode[] {
  const commands = command.createHelp().visibleCommands(command);
  const node: CommandNode = {
    path,
    commands: commands.map((child) => ({ name: child.name(), description: firstLine(child) })),
    options: command.createHelp().visibleOptions(command).map(optionOf),
    choices: command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
  };
  return [node, ...commands.flatMap((child) => nodesOf(child, [...path, child.name()]))];
}

function firstLine(command: Command): string {
  return command.summary() || command.description();
}

function optionOf(option: Option): CommandNode['options'][number] {
  const value: ValueKind = !(option.required || option.optional)
    ? 'nothing'
    : (option.argChoices ?? (option.flags.endsWith('<path>') ? 'file' : 'anything'));
  return { name: option.long ?? option.flags, description: option.description, value };
}

const WRITERS: Record<(typeof SHELLS)[number], (nodes: readonly CommandNode[]) => string> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

function completionsOf({ commands, options, choices }: CommandNode): string {
  return [...commands.map(({ name }) => name), ...choices, ...options.map(({ name }) => name)].join(' ');
}

/** Names of commands and options consist of letters, digits and hyphens, so none needs quoting. */
function bashScript(nodes: readonly CommandNode[]): string {
  const values = optionValues(nodes, {
    choices: (list) => `COMPREPLY=($(compgen -W "${list.join(' ')}" -- "$word")); return`,
    file: 'COMPREPLY=($(compgen -f -- "$word")); return',
    anything: 'return',
  });
  const branches = nodes.map((node) => `    "${node.path.join(' ')}") words="${completionsOf(node)}" ;;`);
  return `# Completes lacre in bash.
_lacre() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD - 1]} path='' words='' index
  for ((index = 1; index < COMP_CWORD && index < 3; index++)); do
    [[ \${COMP_WORDS[index]} == -* ]] && break
    case " ${commandPaths(nodes)} " in
      *" \${path:+$path/}\${COMP_WORDS[index]} "*) path="\${path:+$path/}\${COMP_WORDS[index]}" ;;
      *) break ;;
    esac
  done
  case "\${path//\\// } $before" in
${values.join('\n')}
  esac
  case "\${path//\\// }" in
${branches.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _lacre lacre
`;
}

function commandPaths(nodes: readonly CommandNode[]): string {
  return nodes
    .filter(({ path }) => path.length > 0)
    .map(({ path }) => path.join('/'))
    .join(' ');
}

function optionValues(
  nodes: readonly CommandNode[],
  write: { choices: (list: readonly string[]) => string; file: string; anything: string },
): string[] {
  return nodes.flatMap(({ path, options }) =>
    options.flatMap(({ name, value }) => {
      if (value === 'nothing') return [];
      const does = typeof value === 'string' ? write[value] : write.choices(value);
      return [`    "${path.join(' ')} ${name}") ${does} ;;`];
    }),
  );
}

function zshScript(nodes: readonly CommandNode[]): string {
  const cases = nodes.map((node) => {
    const { path, commands, options, choices } = node;
    const named = commands.map(({ name, description }) => `'${name}:${zshText(description)}'`);
    const flags = options.map(
      ({ name, description, value }) => `'${name}[${zshText(description)}]${zshValue(value)}'`,
    );
    const does =
      named.length > 0
        ? `local -a commands=(${named.join(' ')}); _describe command commands; _arguments ${flags.join(' ')}`
        : `_arguments ${[...flags, choices.length > 0 ? `'*:word:(${choices.join(' ')})'` : "'*:file:_files'"].join(' ')}`;
    return `    '${path.join(' ')}') ${does} ;;`;
  });
  return `#compdef lacre
# Completes lacre in zsh.
_lacre() {
  local place='' index
  for ((index = 2; index < CURRENT && index < 4; index++)); do
    [[ $words[index] == -* ]] && break
    case " ${commandPaths(nodes)} " in
      *" \${place:+\${place// //}/}$words[index] "*) place="\${place:+$place }$words[index]" ;;
      *) break ;;
    esac
  done
  case "$place" in
${cases.join('\n')}
  esac
}
_lacre "$@"
`;
}

function zshValue(value: ValueKind): string {
  if (value === 'nothing') return '';
  if (value === 'file') return ':file:_files';
  return value === 'anything' ? ':value: ' : `:value:(${value.join(' ')})`;
}

function zshText(text: string): string {
  return text.replaceAll("'", '’').replaceAll(/[[\]:\\]/g, (character) => `\\${character}`);
}

function fishScript(nodes: readonly CommandNode[]): string {
  const lines = nodes.flatMap(({ path, commands, options, choices }) => {
    const at = `__lacre_at ${path.join(' ')}`.trimEnd();
    return [
      ...commands.map(
        ({ name, description }) => `complete -c lacre -f -n '${at}' -a ${name} -d '${fishText(description)}'`,
      ),
      ...choices.map((word) => `complete -c lacre -f -n '${at}' -a ${word}`),
      ...options.map(
        ({ name, description, value }) =>
          `complete -c lacre -n '${at}' -l ${name.slice(2)}${fishValue(value)} -d '${fishText(description)}'`,
      ),
    ];
  });
  return `# Completes lacre in fish.
function __lacre_at
  set -l path
  for word in (commandline -opc)[2..-1]
    string match -q -- '-*' $word; and break
    contains -- (string join / $path $word) ${commandPaths(nodes)}; or break
    set -a path $word
  end
  test "$path" = "$argv"
end
${lines.join('\n')}
`;
}

function fishValue(value: ValueKind): string {
  if (value === 'nothing') return '';
  if (value === 'file') return ' -r -F';
  return value === 'anything' ? ' -x' : ` -x -a '${value.join(' ')}'`;
}

function fishText(text: string): string {
  return text.replaceAll("'", '’');
}
