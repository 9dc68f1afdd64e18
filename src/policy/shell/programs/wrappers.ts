import { anything } from '../flow.ts';
import { field, type Field, type Frame, type Machine, type ProgramHandler } from '../machine.ts';
import { isKnown } from '../marks.ts';
import { options, scanOptions, valuesOf } from './options.ts';

/** A program whose operands are a command that it runs. */
export interface WrapperSpec {
  /** Options that take a value. */
  readonly valued?: string;
  /** Options that take none, where all others take one. */
  readonly flags?: string;
  /** Operands before the command. */
  readonly skip?: number;
  /** Options whose value is the directory where the command runs. */
  readonly directory?: string;
  /** Options whose value is a command line. */
  readonly line?: string;
  /** `NAME=value` before the command sets its environment. */
  readonly assigns?: boolean;
  /** The operands are joined and read by a shell. */
  readonly joins?: boolean;
  /** The wrapper itself is a command that policies may want to see. */
  readonly shows?: boolean;
}

export function wrapper(spec: WrapperSpec): ProgramHandler {
  const known = options([spec.valued, spec.directory, spec.line].filter(Boolean).join(' '), spec.flags === undefined ? {} : { flags: spec.flags });
  return (call, machine) => {
    const scanned = scanOptions(call.args, known);
    for (const directory of valuesOf(scanned, spec.directory ?? '')) machine.emitChange(directory, call.frame);
    const lines = [...valuesOf(scanned, spec.line ?? '')];
    let command = scanned.operands.slice(spec.skip ?? 0);
    if (spec.line?.split(' ').includes(command[0]?.text ?? '') && command[1]) {
      lines.push(command[1]);
      command = [];
    }
    for (const line of lines) runLine(line.text, call.frame, machine);
    if (spec.shows || (command.length === 0 && lines.length === 0)) machine.emit(call);
    if (command.length === 0) return anything;
    if (spec.joins) return runLine(command.map((word) => word.text).join(' '), call.frame, machine);
    return spec.assigns ? runAssigned(command, call.frame, machine) : machine.runExternal(command, call.frame);
  };
}

/** Reads a text as the command line of a new shell. */
export function runLine(text: string, frame: Frame, machine: Machine): ReturnType<Machine['runText']> {
  return machine.runText(text, { ...frame, scope: frame.scope.child(), depth: frame.depth + 1 });
}

/** A command behind `NAME=value` words. */
export function runAssigned(fields: readonly Field[], frame: Frame, machine: Machine): ReturnType<Machine['runText']> {
  const end = fields.findIndex((word) => !/^[A-Za-z_][\w%]*=/.test(word.text));
  const assignments = fields.slice(0, end < 0 ? fields.length : end);
  if (assignments.length === 0) return machine.runExternal(fields, frame);
  const scope = frame.scope.fork();
  const environment = new Map(frame.environment);
  for (const { text, plural } of assignments) {
    const equals = text.indexOf('=');
    const [name, value] = [text.slice(0, equals), text.slice(equals + 1)];
    scope.variables.set(name, { values: [[value]], exported: true });
    environment.set(name, machine.marks.word(value, plural));
    machine.assigned(name, value, { ...frame, scope });
    // An exported function.
    const [, called] = /^BASH_FUNC_(\w+)%%$/.exec(name) ?? [];
    if (called !== undefined) runLine(`${called} ${value}`, frame, machine);
  }
  return machine.runExternal(fields.slice(assignments.length), { ...frame, scope, environment });
}

/** `env`: options, a string to be split (`-S`), assignments, a command. */
export const env: ProgramHandler = (call, machine) => {
  const args = call.args.map((arg) => (arg.text === '-' ? field('-i') : arg));
  const scanned = scanOptions(args, options('-u --unset -C --chdir -S --split-string -P --argv0 -a --block-signal --default-signal --ignore-signal'));
  for (const directory of valuesOf(scanned, '-C --chdir')) machine.emitChange(directory, call.frame);
  const [split] = valuesOf(scanned, '-S --split-string');
  if (split) {
    // What it is split into is read like the arguments of env again.
    const words = machine.wordsOf(split.text, call.frame);
    if (!isKnown(split.text) || words.length > 0) return env({ ...call, args: [...words, ...scanned.operands] }, machine);
  }
  if (scanned.operands.every((word) => word.text.includes('='))) machine.emit(call);
  return runAssigned(scanned.operands, call.frame, machine);
};

export const sudoSpec: WrapperSpec = {
  valued: '-a --auth-type -c --login-class -C --close-from -g --group -h --host -p --prompt -R --chroot -r --role -T --command-timeout -t --type -U --other-user -u --user',
  directory: '-D --chdir',
  assigns: true,
};

/** Programs that run what stands behind their options, and are done. */
export const wrappers: ReadonlyMap<string, ProgramHandler> = new Map(
  Object.entries<WrapperSpec>({
    doas: { valued: '-u -C -a', assigns: true },
    ...{ and: {}, or: {}, not: {}, start: {}, call: {}, run0: { valued: '-u --user -g --group -D --chdir -p --property' }, please: { valued: '-u -t' } },
    sudoedit: { valued: '-u', shows: true },
    pkexec: { valued: '--user' },
    nohup: {},
    nice: { valued: '-n --adjustment' },
    ionice: { valued: '-c --class -n --classdata -p --pid -P --pgid -u --uid' },
    timeout: { valued: '-s --signal -k --kill-after', skip: 1 },
    gtimeout: { valued: '-s --signal -k --kill-after', skip: 1 },
    stdbuf: { valued: '-i --input -o --output -e --error' },
    setsid: {},
    time: { valued: '-f --format -o --output' },
    chrt: { valued: '-T --sched-runtime -P --sched-period -D --sched-deadline -p --pid', skip: 1 },
    taskset: { skip: 1 },
    numactl: { flags: '--show --hardware --all -a --localalloc -l --touch -H' },
    prlimit: {},
    linux32: {},
    linux64: {},
    catchsegv: {},
    setpriv: { valued: '--reuid --regid --groups --inh-caps --ambient-caps --bounding-set --securebits --pdeathsig --selinux-label --apparmor-profile' },
    unshare: { valued: '-S --setuid -G --setgid -R --root --map-user --map-group --map-users --map-groups --propagation --setgroups --monotonic --boottime', directory: '-w --wd' },
    nsenter: { valued: '-t --target -S --setuid -G --setgid', directory: '-W --wdns' },
    chroot: { valued: '--userspec --groups', skip: 1 },
    flock: { valued: '-w --wait --timeout -E --conflict-exit-code', line: '-c --command', skip: 1 },
    strace: { valued: '-a -b -e -E -I -o -O -p -P -s -S -u -U -X --trace --output --attach --user --string-limit' },
    ltrace: { valued: '-a -A -D -e -F -l -n -o -p -s -u -w -x' },
    valgrind: {},
    watch: { valued: '-n --interval -q --equexit -s --shotsdir', joins: true },
    caffeinate: { valued: '-t -w' },
    'systemd-run': {
      valued: '-p --property -u --unit -E --setenv --slice --uid --gid --nice -H --host -M --machine --description --service-type --on-active --on-boot --on-calendar --timer-property',
      directory: '--working-directory',
    },
    'systemd-inhibit': { valued: '--what --who --why --mode' },
    'xvfb-run': { valued: '-e --error-file -f --auth-file -n --server-num -s --server-args -p --xauth-protocol -w --wait' },
    'dbus-run-session': { valued: '--config-file --dbus-daemon' },
    'dbus-launch': {},
    fakeroot: { valued: '-l -s -i -b --lib --faked' },
    proot: { valued: '-r -b -q -k --rootfs --bind --qemu --kernel-release', directory: '-w --pwd --cwd' },
    firejail: {},
    unbuffer: {},
    chronic: {},
    rlwrap: { valued: '-b -C -D -f -H -i -l -O -p -P -q -s -S -t -w' },
    proxychains: { valued: '-f' },
    proxychains4: { valued: '-f' },
    torsocks: { valued: '-u -p -a -P' },
    torify: {},
    trickle: { valued: '-d -u -w -t -l -n' },
    cpulimit: { valued: '-l --limit -p --pid -e --exe -c --cpu' },
    gosu: { skip: 1 },
    'su-exec': { skip: 1 },
    setuidgid: { skip: 1 },
    chpst: { valued: '-u -U -b -/ -n -l -L -m -d -o -p -f -c -t -C -e' },
    tini: { valued: '-p -e' },
    'dumb-init': { valued: '-r --rewrite' },
    runcon: { valued: '-c -t -u -r -l --type --user --role --range', skip: 0 },
    cgexec: { valued: '-g' },
    perf: { skip: 1, valued: '-e -o' },
    'cross-env': { assigns: true },
    'cross-env-shell': { assigns: true },
    'env-cmd': { valued: '-f --file -e --environments -r --rc-file' },
    dotenv: { valued: '-f --file -e -p -v' },
    noglob: {},
    nocorrect: {},
    repeat: { skip: 1, joins: true },
    winpty: {},
    sshpass: { valued: '-p -f -d -P' },
    'ld.so': { valued: '--library-path --preload --argv0 --inhibit-rpath --audit --glibc-hwcaps-prepend --glibc-hwcaps-mask' },
    'ssh-agent': { valued: '-a -E -O -P -t' },
    'gpg-agent': { valued: '--homedir --options --log-file' },

    arch: { valued: '-arch -d -e' },
    daemonize: { valued: '-a -c -e -E -o -p -l -u' },
    setlock: { skip: 1 },
    'with-contenv': {},
    eatmydata: {},
    uvx: { valued: '--from --with -p --python', shows: true },
    pipx: { valued: '--spec --python', skip: 1, shows: true },
  }).map(([name, spec]): [string, ProgramHandler] => [name, wrapper(spec)]),
);
