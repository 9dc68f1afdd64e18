import { anything, type Flow } from '../flow.ts';
import { field, type Field, type Frame, type Machine, type ProgramHandler } from '../machine.ts';
import { options, scanOptions, valuesOf } from './options.ts';
import { runAssigned, runLine } from './wrappers.ts';

/** A tool with a subcommand that runs a command: `poetry run`, `npm exec`, `bundle exec`. */
interface RunnerSpec {
  /** The subcommands; empty: the tool runs what stands behind its options. */
  readonly subs: readonly string[];
  readonly valued?: string;
  /** Options whose value is a command line. */
  readonly line?: string;
  /** Operands of the subcommand before the command. */
  readonly skip?: number;
  /** The command stands behind `--`, never before. */
  readonly dashes?: boolean;
}

function runner({ subs, valued = '', line = '', skip = 0, dashes = false }: RunnerSpec): ProgramHandler {
  const spec = options(`${valued} ${line}`);
  return (call, machine) => {
    machine.emit(call);
    const at = subs.length === 0 ? 0 : call.args.findIndex((word) => subs.includes(word.text)) + 1;
    for (const { text } of valuesOf(scanOptions(call.args, options(line, { permutes: true })), line)) runLine(text, call.frame, machine);
    for (const { text } of call.args) {
      const [, script] = /^scripts\.[\w:.-]+=(.*)$/s.exec(text) ?? [];
      if (script !== undefined) runLine(script, call.frame, machine);
    }
    for (const script of scriptsOf(call.frame.scope.written('package.json')?.text)) runLine(script, call.frame, machine);
    if (at === 0 && subs.length > 0) return anything;
    const scanned = scanOptions(call.args.slice(at), spec);
    const operands = scanned.operands.slice(skip);
    const end = operands.findIndex((word) => word.text === '--');
    if (dashes && end < 0 && scanned.before === null) return anything;
    // An option that is not known may take the first operand for its value.
    const last = scanned.options.at(-1);
    if (last?.value === null && last.name.startsWith('--') && !harmlessFlags.has(last.name)) {
      machine.quietly(() => runAssigned(operands.slice(end + 2), { ...call.frame, isSupposed: true }, machine));
    }
    return runOperands(operands.slice(end + 1), call.frame, machine);
  };
}

/** One word with blanks is a command line to some of them: `lerna exec 'git push'`, `just -c 'git push'`. */
function runOperands(words: readonly Field[], frame: Frame, machine: Machine): Flow {
  const [first] = words;
  if (first && words.length === 1 && /\s/.test(first.text)) machine.quietly(() => runLine(first.text, { ...frame, isSupposed: true }, machine));
  return runAssigned(words, frame, machine);
}

const harmlessFlags = new Set(['--yes', '--no', '--no-install', '--quiet', '--verbose', '--ignore-existing', '--frozen', '--locked', '--isolated', '--no-project', '--no-sync', '--active', '--bun', '--silent', '--offline', '--prefer-offline', '--recursive', '--parallel']);

/** `nix develop -c git push`, `nix run nixpkgs#git -- push`. */
const nix: ProgramHandler = (call, machine) => {
  machine.emit(call);
  const at = call.args.findIndex((word) => /^(-c|--command)$/.test(word.text));
  if (at >= 0) return runOperands(call.args.slice(at + 1), call.frame, machine);
  const end = call.args.findIndex((word) => word.text === '--');
  const [, name] = /#([\w.-]+)$/.exec(call.args.find((word) => word.text.includes('#'))?.text ?? '') ?? [];
  return name === undefined || call.args[0]?.text !== 'run' ? anything : machine.runExternal([field(name), ...(end < 0 ? [] : call.args.slice(end + 1))], call.frame);
};

/** The scripts in a `package.json` that the line itself writes. */
function scriptsOf(text: string | null | undefined): readonly string[] {
  const [, block] = /"scripts"\s*:\s*\{([^}]*)\}/.exec(text ?? '') ?? [];
  return Array.from((block ?? '').matchAll(/:\s*"((?:[^"\\]|\\.)*)"/g), ([, script = '']) => script.replace(/\\(.)/g, '$1'));
}

export const runners: ReadonlyMap<string, ProgramHandler> = new Map([
  ['nix', nix],
  ['just', nix],
  ...Object.entries<RunnerSpec>({
    npx: { subs: [], valued: '-p --package --cache --userconfig', line: '-c --call' },
    bunx: { subs: [] },
    npm: { subs: ['exec', 'x'], valued: '-p --package -w --workspace --prefix', line: '-c --call' },
    pnpm: { subs: ['exec', 'dlx'], valued: '--filter -F -C --dir --package' },
    minikube: { subs: ['ssh'], valued: '-p --profile -n --node' },
    composer: { subs: ['exec'] },
    nx: { subs: ['exec'] },
    railway: { subs: ['run'], valued: '-s --service -e --environment -p --project' },
    pnpx: { subs: [] },
    yarn: { subs: ['exec', 'dlx', 'run'], valued: '-p --package --cwd' },
    poetry: { subs: ['run'] },
    pipenv: { subs: ['run'] },
    uv: { subs: ['run'], valued: '--with --python -p --extra --group --env-file --package --project --directory --with-requirements --index' },
    pdm: { subs: ['run'], valued: '-p --project' },
    hatch: { subs: ['run'], valued: '-e --env' },
    rye: { subs: ['run'] },
    pixi: { subs: ['run', 'exec'], valued: '-e --environment --manifest-path' },
    conda: { subs: ['run'], valued: '-n --name -p --prefix --cwd' },
    mamba: { subs: ['run'], valued: '-n --name -p --prefix' },
    micromamba: { subs: ['run'], valued: '-n --name -p --prefix' },
    bundle: { subs: ['exec'] },
    mise: { subs: ['exec', 'x'], valued: '-C --cd', line: '-c --command' },
    asdf: { subs: ['exec'] },
    rbenv: { subs: ['exec'] },
    pyenv: { subs: ['exec'] },
    nodenv: { subs: ['exec'] },
    rustup: { subs: ['run'], skip: 1 },
    volta: { subs: ['run'], valued: '--node --npm --yarn --pnpm' },
    fnm: { subs: ['exec'], valued: '--using' },
    opam: { subs: ['exec'] },
    stack: { subs: ['exec'], dashes: true },
    cabal: { subs: ['exec'] },
    dune: { subs: ['exec'] },
    lerna: { subs: ['exec'] },
    'nix-shell': { subs: [], line: '--run --command', dashes: true },
    direnv: { subs: ['exec'], skip: 1 },
    dotenvx: { subs: ['run'], valued: '-f --env-file -e --env' },
    op: { subs: ['run'], valued: '--env-file --account' },
    doppler: { subs: ['run'], valued: '-p --project -c --config -t --token', line: '--command' },
    infisical: { subs: ['run'], valued: '--env --path', line: '--command' },
    'aws-vault': { subs: ['exec'], valued: '-d --duration --region', skip: 1 },
    chamber: { subs: ['exec'], dashes: true },
    flatpak: { subs: ['run'], valued: '--branch --arch' },
    toolbox: { subs: ['run'], valued: '-c --container -d --distro -r --release' },
    snap: { subs: ['run'], valued: '--shell' },
    devcontainer: { subs: ['exec'], valued: '--workspace-folder --container-id' },
    bazel: { subs: ['run'], line: '--run_under' },
    cargo: { subs: ['watch'], line: '-s --shell', valued: '-w -d -i', dashes: true },
    foreman: { subs: ['run'] },
    ip: { subs: ['exec'], skip: 1 },
    busybox: { subs: [] },
    toybox: { subs: [] },
    coreutils: { subs: [] },
  }).map(([name, spec]): [string, ProgramHandler] => [name, runner(spec)]),
]);
