import { Argument, type Command } from 'commander';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

/** A command as a shell completes it. */
interface Completed {
  readonly name: string;
  readonly description: string;
  /** Long names only: what one types is what one reads later. */
  readonly options: readonly { readonly flag: string; readonly description: string }[];
  /** Words that may come first: names of subcommands, or the choices of the first argument. */
  readonly words: readonly string[];
}

const ENABLE = `
To use it at once: source <(orbweaver completion bash)
For every shell to come:
  orbweaver completion bash > ~/.local/share/bash-completion/completions/orbweaver
  orbweaver completion zsh  > ~/.zfunc/_orbweaver        # a folder of $fpath
  orbweaver completion fish > ~/.config/fish/completions/orbweaver.fish`;

/** `completion`: a script that completes commands and options in a shell. To be added last, since it tells of all the others. */
export function addCompletionCommand(program: Command): void {
  program
    .command('completion')
    .description('Print a script that completes commands and options in your shell.')
    .addArgument(new Argument('<shell>', 'which shell').choices(SHELLS))
    .addHelpText('after', ENABLE)
    .action((shell: Shell) => {
      process.stdout.write(`${scripts[shell](program.commands.map(completed))}\n`);
    });
}

function completed(command: Command): Completed {
  const help = command.createHelp();
  const options = help
    .visibleOptions(command)
    .flatMap(({ long, description }) => (long ? [{ flag: long, description: firstLine(description) }] : []));
  const subcommands = command.commands.map((subcommand) => subcommand.name());
  const choices = command.registeredArguments[0]?.argChoices ?? [];
  return {
    name: command.name(),
    description: firstLine(command.description()),
    options,
    words: [...subcommands, ...choices],
  };
}

function firstLine(text: string): string {
  return text.split('\n')[0];
}

const scripts: Readonly<Record<Shell, (commands: readonly Completed[]) => string>> = {
  bash: (commands) => `_orbweaver() {
  local word="\${COMP_WORDS[COMP_CWORD]}" words=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="${commands.map(({ name }) => name).join(' ')}"
  else
    case "\${COMP_WORDS[1]}" in
${commands.map(({ name, options, words }) => `      ${name}) words="${[...words, ...options.map(({ flag }) => flag)].join(' ')}" ;;`).join('\n')}
    esac
    [ "\${word#-}" = "$word" ] && [ -z "$(compgen -W "$words" -- "$word" | grep -v '^-')" ] && words=""
  fi
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _orbweaver orbweaver`,

  zsh: (commands) => `#compdef orbweaver
_orbweaver() {
  local -a choices
  if (( CURRENT == 2 )); then
    choices=(${commands.map(({ name, description }) => described(name, description)).join(' ')})
    _describe command choices
    return
  fi
  case "$words[2]" in
${commands.map(({ name, options, words }) => `    ${name}) choices=(${[...words.map(quoted), ...options.map(({ flag, description }) => described(flag, description))].join(' ')}) ;;`).join('\n')}
  esac
  _describe -o option choices || _files
}
# Loaded from $fpath it is called at once, from a start file it is only made known.
if [ "$funcstack[1]" = _orbweaver ]; then _orbweaver "$@"; else compdef _orbweaver orbweaver; fi`,

  fish: (commands) =>
    commands
      .flatMap(({ name, description, options, words }) => [
        `complete -c orbweaver -n __fish_use_subcommand -f -a ${name} -d ${quoted(description)}`,
        ...words.map((word) => `complete -c orbweaver -n '__fish_seen_subcommand_from ${name}' -a ${word}`),
        ...options.map(
          ({ flag, description: what }) =>
            `complete -c orbweaver -n '__fish_seen_subcommand_from ${name}' -l ${flag.slice(2)} -d ${quoted(what)}`,
        ),
      ])
      .join('\n'),
};

/** As zsh takes it: a colon ends the name. */
function described(name: string, description: string): string {
  return quoted(`${name}:${description.replaceAll(':', '\\:')}`);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
