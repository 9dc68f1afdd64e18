import type * as Re2 from '@bufbuild/re2';

/**
 * A regular expression in RE2's syntax (no look-around, no back-references), matched in time that grows linearly with the text. The
 * library parses and compiles; the matching is ours, because the library's cannot be bounded: a hostile pattern makes it spend
 * seconds on 100 kB, in linear time.
 */
export class LinearRegex {
  readonly #program: Program;
  readonly #states = new Map<string, State>();
  readonly #start: State;
  #transitions = 0;

  /** Throws a RegexFault. */
  constructor(pattern: string, re2: typeof Re2) {
    this.#program = programOf(pattern, re2);
    this.#start = this.#stateOf([this.#program.start], textStart);
  }

  /** Whether it matches anywhere in the text. `spend` is told the steps before they are done, and may throw to end it. */
  test(text: string, spend: (steps: number) => void): boolean {
    let state = this.#start;
    for (let index = 0; index <= text.length; ) {
      if (index % charactersPerCharge === 0) spend(charactersPerCharge / charactersPerStep);
      const rune = text.codePointAt(index) ?? textEnd;
      const next = state.transitions.get(rune) ?? this.#step(state, rune, spend);
      if (next === matched) return true;
      state = next;
      index += rune > 0xffff ? 2 : 1;
    }
    return false;
  }

  #step(state: State, rune: number, spend: (steps: number) => void): State | typeof matched {
    const { pending, before } = state;
    const reached = this.#closure(pending, emptyWidthsBetween(before, rune));
    spend(stepsPerTransition + reached.visited);
    let next: State | typeof matched = matched;
    if (!reached.isMatch) {
      const out = reached.runes.filter((at) => this.#instruction(at).matchRune(rune)).map((at) => this.#instruction(at).out);
      next = this.#stateOf([...out, this.#program.start], rune);
    }
    if (this.#transitions >= transitionsMax) this.#forget();
    this.#transitions += 1;
    state.transitions.set(rune, next);
    return next;
  }

  /** What can be reached without a character: the instructions that wait for one, and whether it is a match already. */
  #closure(pending: readonly number[], emptyWidths: number): { runes: readonly number[]; isMatch: boolean; visited: number } {
    const visited = new Set<number>();
    const runes: number[] = [];
    const open = [...pending];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (visited.has(at)) continue;
      visited.add(at);
      const { op, out, arg } = this.#instruction(at);
      if (op === ops.match) return { runes, isMatch: true, visited: visited.size };
      if (op === ops.alternative || op === ops.alternativeMatch) open.push(out, arg);
      else if (op === ops.nothing || op === ops.capture) open.push(out);
      else if (op === ops.emptyWidth && (arg & ~emptyWidths) === 0) open.push(out);
      else if (op >= ops.rune) runes.push(at);
    }
    return { runes, isMatch: false, visited: visited.size };
  }

  #stateOf(pending: readonly number[], before: number): State {
    const distinct = [...new Set(pending)].sort((one, other) => one - other);
    const kind = kindOf(before);
    const key = `${kind} ${distinct.join(' ')}`;
    const known = this.#states.get(key);
    if (known) return known;
    const state: State = { pending: distinct, before: representatives[kind], transitions: new Map() };
    this.#states.set(key, state);
    return state;
  }

  /** What is forgotten is found again; memory stays bounded. */
  #forget(): void {
    for (const state of this.#states.values()) state.transitions.clear();
    this.#states.clear();
    this.#transitions = 0;
  }

  #instruction(at: number): Instruction {
    const instruction = this.#program.inst[at];
    if (!instruction) throw new RangeError(`The pattern has no instruction ${at}.`);
    return instruction;
  }
}

/** Why a pattern is refused, in words for its author. */
export class RegexFault extends Error {
  override readonly name = 'RegexFault';
}

type Program = ReturnType<Re2.RE2JS['re2']>['prog'];

type Instruction = Program['inst'][number];

/** Where a match may stand after some text: the instructions to go on from, and the kind of character that came last. */
interface State {
  readonly pending: readonly number[];
  readonly before: number;
  readonly transitions: Map<number, State | typeof matched>;
}

const matched = Symbol('matched');

const textStart = -1;

const textEnd = -1;

const patternCharsMax = 1000;

const instructionsMax = 3000;

/** The tables of a Unicode class are made when it is first used, which takes tens of milliseconds. */
const unicodeClassesMax = 2;

const transitionsMax = 10_000;

const charactersPerCharge = 64;

const charactersPerStep = 16;

const stepsPerTransition = 8;

/** `Inst` of the library, by number: the class itself is not exported. */
const ops = { alternative: 1, alternativeMatch: 2, capture: 3, emptyWidth: 4, match: 6, nothing: 7, rune: 8 } as const;

function programOf(pattern: string, { RE2JS, RE2JSException }: typeof Re2): Program {
  if (pattern.length > patternCharsMax) throw new RegexFault(`a regular expression has at most ${patternCharsMax.toLocaleString('en')} characters`);
  if ((pattern.match(/\\[pP]/g)?.length ?? 0) > unicodeClassesMax) throw new RegexFault(`a regular expression has at most ${unicodeClassesMax} Unicode classes such as \\pL`);
  try {
    const { prog } = RE2JS.compile(pattern).re2();
    if (prog.numInst() > instructionsMax) throw new RegexFault('the regular expression repeats too much');
    return prog;
  } catch (error) {
    if (error instanceof RE2JSException) throw new RegexFault(`no regular expression of RE2: ${error.message.replace(/^error parsing regexp: /, '')}`);
    throw error;
  }
}

/** Which of `^ $ \A \z \b \B` hold between two characters; the library's bits. */
function emptyWidthsBetween(before: number, after: number): number {
  const begin = before === textStart ? 0x05 : before === lineFeed ? 0x01 : 0;
  const end = after === textEnd ? 0x0a : after === lineFeed ? 0x02 : 0;
  return begin | end | (isWord(before) === isWord(after) ? 0x20 : 0x10);
}

const lineFeed = 0x0a;

/** ASCII, as in RE2. */
function isWord(rune: number): boolean {
  return (rune >= 0x30 && rune <= 0x39) || (rune >= 0x41 && rune <= 0x5a) || (rune >= 0x61 && rune <= 0x7a) || rune === 0x5f;
}

/** Of the last character only this matters to what comes next, so it is all that tells states apart. */
type Kind = keyof typeof representatives;

const representatives = { start: textStart, line: lineFeed, word: 0x61, other: 0x20 } as const;

function kindOf(rune: number): Kind {
  if (rune === textStart) return 'start';
  if (rune === lineFeed) return 'line';
  return isWord(rune) ? 'word' : 'other';
}
