/** What a command line would run. */
export interface ShellReading {
  /**
   * Every command that may run, in reading order; those inside substitutions, `sh -c`, `eval`, `xargs`, `find -exec`, functions,
   * here-documents fed to a shell and so on included. Wrappers (`sudo`, `env`, `timeout`, `nohup` …) are taken off; one that changes
   * the directory (`env -C dir`, `sudo -D dir`, `make -C dir`) stands as a `cd` of its own.
   */
  readonly commands: readonly ShellCommand[];
  /** What may run something that cannot be known from the text. */
  readonly unknowns: readonly UnknownPart[];
}

export interface ShellCommand {
  /**
   * The last component of the program's path, after quotes and expansions, in lower case and without `.exe`: `git`. `git-push` is `git` with the word `push`.
   * Empty: only the redirections count, as of `> file`, `exec > file`, or of a program that is not known.
   */
  readonly program: string;
  /** The program as it is called, e.g. `/usr/bin/git`. A builtin of the shell (`cd`) is one only when it is called by its bare name. */
  readonly path: string;
  /** The arguments, without the program. */
  readonly words: readonly Word[];
  /** Every word is known, and so is that this would run. */
  readonly certain: boolean;
  /** It is only supposed that this would run: something that is not known stands in its program's place. At most ask for such a command. */
  readonly supposed: boolean;
  readonly redirects: readonly ShellRedirect[];
  /** Assignments that count for the command: those before it (`GIT_DIR=… git …`), those of `env`, and exported ones. */
  readonly environment: ReadonlyMap<string, Word>;
  /** Where it runs, as far as the line tells by `cd`: an absolute path, or one from where the line starts (`''`: there). Null: not known. */
  readonly directory: string | null;
}

export interface ShellRedirect {
  /** `>`, `>>`, `<`, `&>`, `>|` …; here-documents and here-strings are none. */
  readonly operator: string;
  readonly target: Word;
}

/** An argument as the program would get it. */
export interface Word {
  /** Without quotes, expansions resolved; those whose value is not known stand as they are written. */
  readonly text: string;
  /** False: `text` still holds an expansion or a glob whose value is not known. */
  readonly certain: boolean;
  /** It may be no argument or many: an expansion without quotes, a glob, `"$@"`. Never where it is certain. */
  readonly plural: boolean;
  /** The known stretches between what is not known: `['/workspace/', '']` for `/workspace/$x`. One stretch where the word is certain. */
  readonly known: readonly string[];
}

export interface UnknownPart {
  readonly source: string;
  /** Why it is not known: a phrase that continues "… cannot be known: ", for a person. */
  readonly reason: string;
  /**
   * Not null: a shell would refuse the part, for its syntax. What can be read of it is among the commands all the same. `unclosed`: a
   * quote or bracket is not closed, and all of it was read as if it were closed at the end. `broken`: something was not understood.
   */
  readonly malformed: 'unclosed' | 'broken' | null;
  /** Not null: the part is one command, its program is not known, and these are its arguments. */
  readonly words: readonly Word[] | null;
  /** Whether the part might run the program of this name, as far as its text tells. */
  readonly mentions: (name: string) => boolean;
}
