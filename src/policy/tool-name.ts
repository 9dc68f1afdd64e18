import { foldName } from './folded-name.ts';

/**
 * Which of `tools` a tool's name means, or null. `tools` holds `toolKey`s. A name means a tool when it is the tool's, as
 * `toolKey` compares names, or when a namespace stands before it: `mcp__<server>__bash` (Claude Code, Codex), `mcp_<server>_bash`
 * (Gemini), `server__bash`, `functions.bash`, `server/bash`, `server:bash`. The server's name may hold separators itself;
 * every way to cut the name counts, so that no choice of a server's name hides a tool.
 */
export function findTool(name: string, tools: { has(key: string): boolean }): string | null {
  const folded = foldName(name);
  const whole = compact(folded);
  if (tools.has(whole)) return whole;
  const singleUnderscore = folded.startsWith('mcp_') && !folded.startsWith('mcp__');
  let keptBefore = 0;
  for (let start = 1; start < folded.length; start += 1) {
    const before = folded[start - 1];
    if (before !== '_' && before !== '-') keptBefore += 1;
    const isStart = before === '_' ? singleUnderscore || folded[start - 2] === '_' : before === '.' || before === '/' || before === ':';
    if (isStart && tools.has(whole.slice(keptBefore))) return whole.slice(keptBefore);
  }
  return null;
}

/** A tool's name as it is compared: folded, and without `_` and `-`, so that `read_file`, `readFile` and `read-file` are one. */
export function toolKey(name: string): string {
  return compact(foldName(name));
}

export function toolKeys(names: readonly string[]): ReadonlySet<string> {
  return new Set(names.map(toolKey));
}

function compact(folded: string): string {
  return folded.replaceAll('_', '').replaceAll('-', '');
}
