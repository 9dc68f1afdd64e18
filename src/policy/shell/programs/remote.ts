import { anything } from '../flow.ts';
import type { Call, Field, Machine, ProgramHandler } from '../machine.ts';
import { quoteFields } from '../quote.ts';
import { options, scanOptions, valuesOf } from './options.ts';
import { runInput } from './shells.ts';

/** Programs that run a command elsewhere: on another machine, in a container. They count like here. */

const sshSpec = options('-B -b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -P -Q -R -S -W -w');

/** What stands behind the host is joined and read by the shell there; without it, that shell reads the input. */
const ssh: ProgramHandler = (call, machine) => {
  machine.emit(call);
  const scanned = scanOptions(call.args, sshSpec);
  for (const { text } of valuesOf(scanned, '-o')) {
    const [, command] = /^\s*(?:ProxyCommand|LocalCommand|RemoteCommand|KnownHostsCommand)[\s=]+(.*)$/is.exec(text) ?? [];
    if (command !== undefined) elsewhere(command, call, machine);
  }
  // Options may stand behind the host as well.
  const words = scanOptions(scanned.operands.slice(1), sshSpec).operands;
  if (words.length > 0) return elsewhere(words.map((word) => word.text).join(' '), call, machine);
  return call.frame.input.text === '' ? anything : runInput(call, machine);
};

function elsewhere(line: string, { frame }: Call, machine: Machine): ReturnType<ProgramHandler> {
  return machine.runText(line, { ...frame, scope: frame.scope.elsewhere(), depth: frame.depth + 1 });
}

const containerFlags =
  '-d --detach -i --interactive -t --tty --rm --privileged --init --read-only --no-healthcheck -P --publish-all --sig-proxy --oom-kill-disable --disable-content-trust -q --quiet -T --no-TTY --no-deps --service-ports --use-aliases --build --remove-orphans --quiet-pull --no-tty --all -a --tls --debug -D';

const container = options('', { flags: containerFlags });

/** `docker exec web git push`, `docker run image git push`, `docker compose exec web …`. */
const docker: ProgramHandler = (call, machine) => {
  machine.emit(call);
  const at = call.args.findIndex((word) => word.text === 'exec' || word.text === 'run' || word.text === 'create');
  const globals = call.args.slice(0, Math.max(0, at));
  if (call.args.some((word) => word.text === 'build')) for (const [, line] of (call.frame.input.text ?? '').matchAll(/^\s*RUN\s+(.*(?:\\\n.*)*)$/gim)) elsewhere(line ?? '', call, machine);
  if (at < 0 || globals.some((word) => /^(build|buildx|image|network|volume|system|push|pull|tag|rm|ps|logs|cp|inspect|up|down)$/.test(word.text))) return anything;
  const scanned = scanOptions(call.args.slice(at + 1), container);
  const [, ...command] = scanned.operands;
  const [entry] = valuesOf(scanned, '--entrypoint');
  const words = entry ? [...machine.wordsOf(entry.text, call.frame), ...command] : command;
  // An option that is not known may have taken the image for its value.
  machine.quietly(() => runInside(scanned.operands, { ...call, frame: { ...call.frame, isSupposed: true } }, machine));
  return runInside(words[0]?.text === '--' ? words.slice(1) : words, call, machine);
};

/** `kubectl exec pod -- git push`; without `--`, the words behind the pod. */
const kubectl: ProgramHandler = (call, machine) => {
  machine.emit(call);
  const at = call.args.findIndex((word) => /^(exec|run|debug|rsh|shell)$/.test(word.text));
  if (at < 0) return anything;
  const scanned = scanOptions(call.args.slice(at + 1), options('-c --container -n --namespace --context --kubeconfig -f --filename --pod-running-timeout --image --env -l --labels --overrides --restart --user --group --mode -it-x', { permutes: true }));
  const command = scanned.before === null ? scanned.operands.slice(1) : scanned.operands.slice(scanned.before);
  return runInside(command, call, machine);
};

function runInside(command: readonly Field[], call: Call, machine: Machine): ReturnType<ProgramHandler> {
  return machine.runExternal(command, { ...call.frame, scope: call.frame.scope.elsewhere(), environment: new Map(), redirects: [] });
}

/** A command line in an option, or words behind `--`. */
export function carrier(lineOptions: string, sub: RegExp | null): ProgramHandler {
  return (call, machine) => {
    machine.emit(call);
    const scanned = scanOptions(call.args, options(lineOptions, { permutes: true }));
    for (const { text } of valuesOf(scanned, lineOptions)) elsewhere(text, call, machine);
    if (scanned.before !== null && (!sub || scanned.operands.slice(0, scanned.before).some((word) => sub.test(word.text)))) {
      const words = scanned.operands.slice(scanned.before);
      return words.length === 1 ? elsewhere(words[0]?.text ?? '', call, machine) : elsewhere(quoteFields(words), call, machine);
    }
    return anything;
  };
}

/** `heroku run git push`. */
const herokuRun: ProgramHandler = (call, machine) => {
  machine.emit(call);
  const at = call.args.findIndex((word) => /^(run|run:detached|ps:exec)$/.test(word.text));
  const scanned = scanOptions(call.args.slice(at + 1), options('-a --app -r --remote -s --size -e --env --type'));
  return at < 0 ? anything : elsewhere(scanned.operands.map((word) => word.text).join(' '), call, machine);
};

export const remotes: ReadonlyMap<string, ProgramHandler> = new Map([
  ...['ssh', 'autossh', 'rsh', 'mosh', 'slogin', 'sshpass-ssh', 'dbclient'].map((name): [string, ProgramHandler] => [name, ssh]),
  ...['docker', 'podman', 'nerdctl', 'docker-compose', 'podman-compose', 'finch', 'crictl'].map((name): [string, ProgramHandler] => [name, docker]),
  ...['kubectl', 'oc', 'k3s', 'microk8s'].map((name): [string, ProgramHandler] => [name, kubectl]),
  ['vagrant', carrier('-c --command', null)],
  ['gcloud', carrier('--command', /^ssh$/)],
  ['az', carrier('--scripts --command-id-x', null)],
  ['aws', carrier('--parameters-x --command', null)],
  ['fly', carrier('-C --command', null)],
  ['flyctl', carrier('-C --command', null)],
  ['heroku', herokuRun],
  ['lxc', carrier('', /^exec$/)],
  ['incus', carrier('', /^exec$/)],
  ['multipass', carrier('', /^exec$/)],
  ['flatpak-spawn', carrier('', null)],
  ['distrobox', carrier('', /^enter$/)],
  ['ansible', carrier('-a --args', null)],
]);
