/** What must be known of a programming language to find the commands in a short program. */
export interface Language {
  /** What begins a comment that lasts to the end of the line. */
  readonly comments: readonly string[];
  /** What stands between back-ticks. */
  readonly backtick: 'command' | 'text' | 'none';
  /** How values get into texts between double quotes: `#{x}`, `$x`, `${x}` between back-ticks, `{x}` behind an `f`. */
  readonly interpolation: 'hash' | 'dollar' | 'template' | 'f' | 'none';
  /** A function's arguments need no parentheses. */
  readonly bareCalls: boolean;
  /** Functions that run a command, as a line or as a list of words. */
  readonly runs: ReadonlySet<string>;
  /** Of those, the names that mean something else unless one of the gateways is there too. */
  readonly ambiguous: ReadonlySet<string>;
  /** Modules that are only there to run commands. */
  readonly gateways: ReadonlySet<string>;
  /** Functions that run a text as a program of the same language. */
  readonly evaluates: ReadonlySet<string>;
  /** Modules whose import alone counts: what their functions run has no name of its own, as in `sh.git.push()`. */
  readonly imports: ReadonlySet<string>;
  /** Ways to reach a function without its name; they count where a module is there that has functions which run commands. */
  readonly indirections: ReadonlySet<string>;
  readonly modules: ReadonlySet<string>;
  /** Functions that change the working directory, and that remove a directory with all that is in it. */
  readonly changes: ReadonlySet<string>;
  readonly removes: ReadonlySet<string>;
  /** Patterns or quotes that are not understood may hide a call, so its name followed by a parenthesis counts wherever it stands. */
  readonly hasPatterns: boolean;
  /** A function of a module can be reached by a computed name: `cp['ex' + 'ec']`. */
  readonly computesMembers: boolean;
}

export type LanguageName = 'python' | 'javascript' | 'perl' | 'ruby' | 'php' | 'lua' | 'awk' | 'lisp' | 'other';

export const languages: Readonly<Record<LanguageName, Language>> = {
  python: language({
    comments: ['#'],
    interpolation: 'f',
    runs: 'system popen Popen run call check_call check_output getoutput getstatusoutput execl execle execlp execlpe execv execve execvp execvpe spawnl spawnle spawnlp spawnlpe spawnv spawnve spawnvp spawnvpe posix_spawn posix_spawnp startfile create_subprocess_shell create_subprocess_exec spawn',
    ambiguous: 'run call spawn Popen',
    gateways: 'subprocess pty commands popen2 pexpect plumbum sh fabric invoke posix_spawn',
    evaluates: 'eval exec compile',
    imports: 'sh plumbum fabric invoke pexpect delegator envoy commands popen2 git pygit2 dulwich',
    indirections: 'getattr __dict__ vars globals locals attrgetter methodcaller __getattribute__ modules',
    modules: 'os posix subprocess pty builtins sys __import__ importlib import_module ctypes',
    changes: 'chdir fchdir',
    removes: 'rmtree removedirs',
  }),
  javascript: language({
    comments: ['//'],
    backtick: 'text',
    interpolation: 'template',
    runs: 'run exec execSync spawn spawnSync execFile execFileSync fork execa execaSync execaCommand Command $ doShellScript shell',
    ambiguous: 'exec spawn fork run shell Command $',
    gateways: 'child_process node:child_process execa shelljs zx cross-spawn Bun Deno',
    imports: 'simple-git isomorphic-git nodegit shelljs',
    evaluates: 'eval Function runInThisContext runInNewContext runInContext _load',
    indirections: 'binding mainModule constructor _linkedBinding dlopen createRequire',
    modules: 'process module Module globalThis',
    computesMembers: true,
    changes: 'chdir',
    removes: 'rmSync rmdirSync rm rmdir remove removeSync rimraf rimrafSync',
    hasPatterns: true,
  }),
  perl: language({
    comments: ['#'],
    backtick: 'command',
    interpolation: 'dollar',
    bareCalls: true,
    runs: 'system exec qx readpipe popen open open2 open3 run capture capturex systemx',
    ambiguous: 'open run capture popen',
    gateways: 'IPC Open2 Open3',
    evaluates: 'eval',
    indirections: 'syscall',
    modules: 'syscall',
    changes: 'chdir',
    removes: 'rmtree remove_tree',
    hasPatterns: true,
  }),
  ruby: language({
    comments: ['#'],
    backtick: 'command',
    interpolation: 'hash',
    bareCalls: true,
    runs: 'system exec spawn popen popen2 popen2e popen3 capture2 capture2e capture3 pipeline sh syscall open',
    ambiguous: 'open sh pipeline',
    gateways: 'Open3 PTY shell',
    evaluates: 'eval instance_eval class_eval module_eval',
    indirections: 'send public_send __send__ method const_get',
    modules: 'Kernel send public_send __send__ IO Process',
    changes: 'chdir',
    removes: 'rm_rf rm_r remove_dir remove_entry remove_entry_secure rmtree',
    hasPatterns: true,
  }),
  php: language({
    comments: ['#', '//'],
    backtick: 'command',
    interpolation: 'dollar',
    runs: 'system exec shell_exec passthru popen proc_open pcntl_exec',
    evaluates: 'eval assert create_function',
    indirections: 'call_user_func call_user_func_array array_map usort array_filter array_walk ReflectionFunction preg_replace_callback',
    modules: 'call_user_func call_user_func_array ReflectionFunction',
    changes: 'chdir',
  }),
  lua: language({
    comments: ['--'],
    runs: 'execute popen',
    evaluates: 'load loadstring dostring',
    indirections: '_G _ENV require rawget',
    modules: 'os io',
    computesMembers: true,
  }),
  awk: language({ comments: ['#'], runs: 'system', hasPatterns: true }),
  lisp: language({
    comments: [';'],
    bareCalls: true,
    runs: 'system system* shell-command shell-command-to-string async-shell-command call-process call-process-shell-command start-process start-process-shell-command process-lines make-process process process* run-program run-shell-command sh open-pipe open-input-pipe shell compile eshell-command',
    ambiguous: 'process compile',
    gateways: 'uiop clojure.java.shell popen',
    evaluates: 'eval read-from-string load-string eval-string',
    changes: 'cd set-default-directory chdir',
    removes: 'delete-directory delete-directory/files',
  }),
  other: language({
    comments: [],
    backtick: 'command',
    interpolation: 'hash',
    bareCalls: true,
    runs: 'system system2 shell cmd command exec execute os_cmd run popen execvp pipeline spawn sh syscmd esyscmd callCommand Process readProcess rawSystem createProcess unsafeShell',
    ambiguous: 'exec execute run cmd command Process spawn sh shell pipeline',
    gateways: 'System Sys os process Process Cmd Base ProcessBuilder Runtime Command execCmd osproc sys',
    evaluates: 'eval',
    changes: 'setwd cd chdir',
    removes: 'unlink rmtree',
    hasPatterns: true,
  }),
};

interface LanguageSource {
  readonly comments: readonly string[];
  readonly backtick?: Language['backtick'];
  readonly interpolation?: Language['interpolation'];
  readonly bareCalls?: boolean;
  readonly runs: string;
  readonly ambiguous?: string;
  readonly gateways?: string;
  readonly evaluates?: string;
  readonly imports?: string;
  readonly indirections?: string;
  readonly modules?: string;
  readonly changes?: string;
  readonly removes?: string;
  readonly hasPatterns?: boolean;
  readonly computesMembers?: boolean;
}

function language(source: LanguageSource): Language {
  const { comments, backtick = 'none', interpolation = 'none', bareCalls = false, hasPatterns = false, computesMembers = false } = source;
  return {
    ...{ comments, backtick, interpolation, bareCalls, hasPatterns, computesMembers },
    runs: names(source.runs),
    ambiguous: names(source.ambiguous),
    gateways: names(source.gateways),
    evaluates: names(source.evaluates),
    imports: names(source.imports),
    indirections: names(source.indirections),
    modules: names(source.modules),
    changes: names(source.changes),
    removes: names(source.removes),
  };
}

function names(spelled = ''): ReadonlySet<string> {
  return new Set(spelled.split(' ').filter((name) => name !== ''));
}
