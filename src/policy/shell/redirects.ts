import type { Redirection } from 'unbash';
import { expandHereDocument, expandJoined } from './expand.ts';
import { anything, concat, flowOf, silence, type Flow } from './flow.ts';
import type { Expansion, Frame } from './machine.ts';
import type { ShellRedirect } from './reading.ts';
import type { Walker } from './walker.ts';

/** Redirections as a command meets them, expanded. */
export interface PreparedRedirects {
  readonly list: readonly ShellRedirect[];
  /** Null: the command reads what the one around it reads. */
  readonly input: Flow | null;
  /** What here-documents and the like on other descriptors hold, by `/dev/fd/<number>`. */
  readonly descriptors: ReadonlyMap<string, Flow>;
  /** Where the standard output goes; null: where that of the one around it goes. An empty path: to another descriptor. */
  readonly output: { readonly path: string; readonly appends: boolean } | null;
}

export function prepareRedirects(redirects: readonly Redirection[], expansion: Expansion): PreparedRedirects {
  if (redirects.length === 0) return nothing;
  const list: ShellRedirect[] = [];
  const descriptors = new Map<string, Flow>();
  const { marks } = expansion.machine;
  const { scope } = expansion.frame;
  let [input, output]: [Flow | null, PreparedRedirects['output']] = [null, null];
  for (const redirect of redirects) {
    if (!expansion.machine.mayVisit(1)) break;
    const descriptor = redirect.descriptor?.type === 'FileDescriptor' ? redirect.descriptor.value : null;
    if (redirect.type !== 'Redirect') {
      const flow = flowOf(redirect.type === 'HereDoc' ? expandHereDocument(redirect, expansion) : `${redirect.target ? expandJoined(redirect.target, expansion) : ''}\n`);
      if (descriptor === null || descriptor === 0) input = flow;
      else descriptors.set(`/dev/fd/${descriptor}`, flow);
      continue;
    }
    const path = redirect.target ? expandJoined(redirect.target, expansion) : '';
    const isDuplicate = redirect.operator.endsWith('&') && /^(\d+-?|-)$/.test(path);
    if (!isDuplicate) list.push({ operator: redirect.operator, target: marks.word(path, false) });
    if (redirect.operator.startsWith('<')) {
      const from = isDuplicate ? `/dev/fd/${path}` : path;
      const flow = isStandardInput(from) ? expansion.frame.input : (descriptors.get(from) ?? scope.written(from) ?? anything);
      if (descriptor === null || descriptor === 0) input = flow;
      else descriptors.set(`/dev/fd/${descriptor}`, flow);
    } else if (descriptor === null || descriptor === 1 || redirect.operator.startsWith('&')) {
      output = { path: isDuplicate ? '' : path, appends: redirect.operator.endsWith('>>') };
    }
  }
  return { list, input, descriptors, output };
}

const nothing: PreparedRedirects = { list: [], input: null, descriptors: new Map(), output: null };

/** The frame of a command with these redirections. */
export function redirectedFrame(frame: Frame, { list, input, descriptors }: PreparedRedirects): Frame {
  const inherited = frame.scope.input ?? frame.input;
  if (list.length === 0 && !input && descriptors.size === 0) return inherited === frame.input ? frame : { ...frame, input: inherited };
  for (const [path, flow] of descriptors) frame.scope.write(path, flow);
  return { ...frame, input: input ?? inherited, redirects: list.length > 0 ? [...frame.redirects, ...list] : frame.redirects };
}

/** Where what was printed goes: into a file, which is remembered, or on. */
export function deliver(printed: Flow, { output }: PreparedRedirects, { frame, walker }: { frame: Frame; walker: Walker }): Flow {
  if (!output) return printed;
  if (output.path !== '' && output.path !== '/dev/null') {
    const before = output.appends ? (frame.scope.written(output.path) ?? silence) : silence;
    frame.scope.write(output.path, concat(before, printed));
    if (printed.text !== null) walker.saved(output.path, printed.text, frame);
  }
  return output.path === '/dev/stdout' || output.path === '/dev/fd/1' ? printed : silence;
}

export function isStandardInput(path: string): boolean {
  return path === '/dev/stdin' || path === '/dev/fd/0' || path === '/proc/self/fd/0' || path === '-';
}

interface Redirected {
  readonly walker: Walker;
  readonly run: (frame: Frame) => Flow;
}

/** Runs a compound command with redirections. */
export function withRedirects(redirects: readonly Redirection[], frame: Frame, { walker, run }: Redirected): Flow {
  const [prepared = nothing] = walker.worlds(frame, (expansion) => prepareRedirects(redirects, expansion));
  const there = redirectedFrame(frame, prepared);
  const printed = walker.runWriting(prepared.list, there, () => run(there));
  return deliver(printed, prepared, { frame, walker });
}
