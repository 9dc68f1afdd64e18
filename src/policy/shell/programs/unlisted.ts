import type { Call, Machine } from '../machine.ts';
import { isKnown } from '../marks.ts';
import { runLine } from './wrappers.ts';

/**
 * A program that is not listed may be one that runs what stands behind it (`logsave log git push`, `meta exec 'git push'`). So it is
 * supposed to, where its arguments look like a command.
 */
export function runUnlisted(call: Call, machine: Machine): void {
  const { args, program } = call;
  if (args.length === 0 || !isInstalled(call.path) || plain.has(program)) return;
  const frame = { ...call.frame, isSupposed: true };
  for (let at = 0; at < Math.min(args.length, placesMax); at += 1) {
    const text = args[at]?.text ?? '';
    if (commands.has(text.slice(text.lastIndexOf('/') + 1)) && at + 1 < args.length) return machine.quietly(() => machine.runExternal(args.slice(at), frame));
    if (/\s/.test(text) && isKnown(text) && takesLine(call, at)) machine.quietly(() => runLine(text, frame, machine));
  }
}

const placesMax = 12;

/** A script of the project's has arguments of its own: `./build.sh -c 'git push'`. */
function isInstalled(path: string): boolean {
  return path.includes('/') ? /(?:^|\/)s?bin\/[^/]+$/.test(path) && !path.startsWith('./') : !/\.\w+$/.test(path);
}

/** An option or a subcommand says that the text is run. */
function takesLine({ args }: Call, at: number): boolean {
  if (lineOptions.test(args[at - 1]?.text ?? '')) return true;
  return args.slice(0, at).some((word) => /^(?:exec|exec-env|exec-file|forall|foreach)$/.test(word.text));
}

const lineOptions = /^(?:-[cexC]|--(?:command|cmd|exec|execute|eval|run|call|shell-command)|run|shell|sh|eval|exec|cmd\.run|new-session)$/;

/** What policies gate, and what runs others. */
const commands = new Set([
  ...['git', 'gh', 'hub', 'rm', 'dd', 'shred', 'kubectl', 'helm', 'terraform', 'tofu', 'docker', 'curl', 'tee'],
  ...['sh', 'bash', 'zsh', 'dash', 'ksh', 'fish', 'env', 'sudo', 'doas', 'xargs', 'timeout', 'nohup', 'python', 'python3', 'node', 'perl', 'ruby'],
]);

/** Programs that run none of their arguments, or whose arguments are often the names of programs or texts about them. */
const plain = new Set([
  ...['grep', 'egrep', 'fgrep', 'zgrep', 'pgrep', 'pkill', 'killall', 'jq', 'yq', 'xq', 'sort', 'uniq', 'cut', 'wc', 'ls', 'cat', 'rm', 'mv', 'mkdir', 'touch', 'chmod', 'chown', 'diff', 'stat', 'file', 'du', 'df', 'ps'],
  ...['brew', 'port', 'apk', 'dnf', 'yum', 'pacman', 'yay', 'zypper', 'snap', 'choco', 'scoop', 'winget', 'pip', 'pip3', 'gem', 'cpan', 'dpkg', 'rpm', 'aptitude', 'pkg', 'emerge', 'update-alternatives', 'dpkg-query'],
  ...['tldr', 'cheat', 'whatis', 'apropos', 'info', 'help', 'whereis', 'hash', 'mail', 'logger', 'notify-send', 'wall', 'say', 'figlet', 'cowsay', 'gum', 'dialog', 'whiptail', 'zenity'],
  ...['claude', 'codex', 'gemini', 'aider', 'llm', 'ollama', 'cursor-agent', 'test', '[', 'code', 'open', 'rustfmt', 'systemctl', 'service', 'journalctl', 'strings', 'strip', 'ldd', 'basename', 'dirname', 'realpath', 'readlink', 'fzf'],
]);
