import type { Word } from '../../shell/command-line.ts';
import { atMostDoubt, doubt, strictest, type Finding } from './finding.ts';
import { effectGate, readGate, writeGate } from './gates.ts';
import { ghApiOptions } from './gh-options.ts';
import { hasOption, readOptions, valuesOf } from './options.ts';
import { readRepository, unknownRepository, type Mention } from './repository.ts';
import { knownTarget, readRestRequest, type RestEffects } from './rest-request.ts';
import type { Rules } from './rules.ts';

/** Judges `gh api` by the words behind it. `mentions`: the repositories that the environment names. */
export function judgeGhApi(words: readonly Word[], { rules, mentions }: { rules: Rules; mentions: readonly Mention[] }): Finding | null {
  const read = readOptions(words, ghApiOptions);
  if (hasOption(read, ['--help', '-h'])) return null;
  const [target, ...others] = read.operands;
  const bodies = valuesOf(read, ['-f', '-F', '--field', '--raw-field']);
  const hasBody = bodies.length > 0 || hasOption(read, ['--input']);
  const methods = valuesOf(read, ['-X', '--method']);
  const method = methods.at(-1) ?? null;
  const { fields, isComplete } = readFields(bodies);
  const effects = readRestRequest({
    target: target ? knownTarget(target) : '',
    method: method ? (method.certain ? method.text.toUpperCase() : null) : hasBody ? 'POST' : 'GET',
    fields,
    isComplete: isComplete && !hasOption(read, ['--input']),
  });
  const overridden = valuesOf(read, ['-H', '--header']).some(({ text }) => /method-override/i.test(text));
  const named = [...valuesOf(read, ['-R', '--repo']).map(({ text, certain }) => (certain ? readRepository(text) : unknownRepository))];
  const hosts = valuesOf(read, ['--hostname']).filter(({ text }) => text !== 'github.com');
  const open = [...others.filter((word) => !word.certain), ...hosts].map(() => unknownRepository);
  const all = [...(effects.isTemplate ? [...named, ...mentions] : [effects.mention, ...named]), ...open];
  if (overridden) return doubt('gh api would override the method of its request.');
  return judgeRestEffects(effects, { what: 'gh api', rules, mentions: withoutRepeatedUnknown(all) });
}

/** Judges a request to the REST interface, whoever sends it. */
export function judgeRestEffects(effects: RestEffects, { what, rules, mentions }: { what: string; rules: Rules; mentions: readonly Mention[] }): Finding | null {
  if (!effects.writes) return readGate(rules, { what, mentions });
  const { deletes, tags, forces, branches, content, isSupposed } = effects;
  const found = strictest([
    effectGate(rules, { what, deletes: deletes || isSupposed, tags, forces }),
    writeGate(rules, { what, mentions, branches, content }),
  ]);
  return isSupposed ? atMostDoubt(found) : found;
}

/** A path that names no repository leaves that to `--repo`. */
function withoutRepeatedUnknown(mentions: readonly Mention[]): readonly Mention[] {
  const [first, ...others] = mentions;
  return first?.kind === 'unknown' && others.some((mention) => mention.kind === 'repository') ? others : mentions;
}

function readFields(bodies: readonly Word[]): { fields: ReadonlyMap<string, string>; isComplete: boolean } {
  const fields = new Map<string, string>();
  let isComplete = true;
  for (const { text, certain } of bodies) {
    const equals = text.indexOf('=');
    const value = text.slice(equals + 1);
    if (!certain || value.startsWith('@')) isComplete = false;
    else if (equals > 0) fields.set(text.slice(0, equals), value);
  }
  return { fields, isComplete };
}
