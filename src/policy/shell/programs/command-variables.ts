/** Variables whose value is run: as a command line, as a script file, or expanded as a prompt. */
export const commandVariables: ReadonlyMap<string, 'command' | 'file' | 'prompt'> = new Map([
  ...['PROMPT_COMMAND', 'GIT_SSH_COMMAND', 'GIT_SSH', 'GIT_EDITOR', 'GIT_SEQUENCE_EDITOR', 'EDITOR', 'VISUAL', 'FCEDIT', 'PAGER', 'GIT_PAGER', 'GH_PAGER', 'MANPAGER'].map(
    command,
  ),
  ...['GIT_ASKPASS', 'SSH_ASKPASS', 'SUDO_ASKPASS', 'GIT_EXTERNAL_DIFF', 'GIT_PROXY_COMMAND', 'BROWSER', 'GH_BROWSER', 'GH_EDITOR', 'FZF_DEFAULT_COMMAND', 'RSYNC_RSH'].map(
    command,
  ),
  ...['BASH_ENV', 'ENV'].map((name): [string, 'file'] => [name, 'file']),
  ...['PS0', 'PS1', 'PS2', 'PS4', 'PROMPT', 'RPROMPT'].map((name): [string, 'prompt'] => [name, 'prompt']),
]);

function command(name: string): [string, 'command'] {
  return [name, 'command'];
}
