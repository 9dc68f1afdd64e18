import type { ShellCommand, Word } from '../../../shell/command-line.ts';
import type { Tier } from './tier.ts';

/** gh: merging, publishing and deleting, also over its REST and GraphQL calls. */
export function judgeGh({ program, words }: ShellCommand): Tier | null {
  if (program !== 'gh' && program !== 'hub') return null;
  const [group, action] = operandsOf(words);
  if (!group) return null;
  if (!group.certain) return 'uncertain';
  if (group.text === 'api' && program === 'gh') return judgeApi(words);
  const actions = risky.get(group.text);
  if (!actions) return null;
  if (!action) return words.some((word) => word.plural) ? 'uncertain' : null;
  return !action.certain ? 'uncertain' : actions.has(action.text) || deletions.has(action.text) ? 'risky' : null;
}

const deletions: ReadonlySet<string> = new Set(['delete', 'remove', 'rm']);

const risky: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['pr', new Set(['merge'])],
  ['release', new Set(['create', 'new', 'delete', 'edit', 'upload', 'delete-asset'])],
  ['repo', new Set(['archive', 'rename'])],
  ...['issue', 'run', 'cache', 'secret', 'variable', 'gist', 'project', 'codespace', 'ssh-key', 'gpg-key', 'ruleset'].map((name): [string, ReadonlySet<string>] => [name, deletions]),
]);

function operandsOf(words: readonly Word[]): readonly Word[] {
  return words.filter((word, index) => !word.text.startsWith('-') && !/^(-R|--repo|--hostname)$/.test(words[index - 1]?.text ?? ''));
}

function judgeApi(words: readonly Word[]): Tier | null {
  const texts = words.map((word) => word.text);
  const method = texts.flatMap((text, index) => {
    const [, attached] = /^(?:-X=?|--method=)(.+)$/.exec(text) ?? [];
    return attached ?? (/^(-X|--method)$/.test(text) ? (texts[index + 1] ?? '') : []);
  });
  const hasFields = texts.some((text) => /^(-f|-F|--field|--raw-field|--input)/.test(text));
  const verb = (method.at(-1) ?? (hasFields ? 'POST' : 'GET')).toUpperCase();
  if (verb === 'GET' || verb === 'HEAD') return null;
  if (verb === 'DELETE') return 'risky';
  if (texts.includes('graphql')) return texts.some((text) => /merge\w*\s*\(|delete\w*\s*\(|createRelease|updateRefs?\b|revert\w*\s*\(/i.test(text)) ? 'risky' : null;
  return texts.some((text) => /\/merge(s|-upstream)?($|\?)|\/releases(\/|$|\?)|\/git\/refs|\/transfer$|\/deployments$|\/dispatches$/.test(text)) ? 'risky' : null;
}
