import { foldName } from '../../folded-name.ts';
import { classOfTool, isListed, type ToolClass } from './mcp-tool-classes.ts';

/** What a tool of a GitHub server does. */
export interface McpTool {
  /** Without the server's prefix and in lower case: `create_issue`. */
  readonly name: string;
  readonly class: ToolClass;
  /** Called under no server's name, so that it may be another program's tool of the same name. */
  readonly bare: boolean;
}

/** Tells GitHub's tools by their names; null: another tool. `prefixes`: those of the params; null: the usual ones. */
export function readMcpTool(name: string, prefixes: readonly string[] | null): McpTool | null {
  const folded = foldName(name);
  const prefixed = afterPrefix(folded, (prefixes ?? usualPrefixes).map(foldName));
  if (prefixed !== null) {
    // Names are exact for a server. One with capitals is none of its tools, whatever it means.
    const isExact = name.endsWith(prefixed) && prefixed !== '';
    return { name: withoutGithub(prefixed), class: isExact ? (classOfTool(prefixed) ?? 'unknown') : 'unknown', bare: false };
  }
  const behindServer = prefixes === null ? afterServer(folded) : null;
  if (behindServer !== null) {
    const known = classOfTool(behindServer);
    return known && { name: withoutGithub(behindServer), class: known, bare: false };
  }
  const alone = folded.replace(/^functions\./, '');
  const known = isListed(alone) ? classOfTool(alone) : null;
  return known && { name: withoutGithub(alone), class: known, bare: true };
}

const usualPrefixes = ['mcp__github__', 'github__'];

/** What follows a prefix, at the start of the name or behind the name of a server that passes calls on. */
function afterPrefix(folded: string, prefixes: readonly string[]): string | null {
  for (const prefix of prefixes) {
    if (prefix === '') continue;
    for (let at = folded.indexOf(prefix); at >= 0; at = folded.indexOf(prefix, at + 1)) {
      if (at === 0 || folded.startsWith('__', at - 2) || /[./:]/.test(folded.charAt(at - 1))) return folded.slice(at + prefix.length);
    }
  }
  return null;
}

/** The tool's name behind a server's that holds “github”: `mcp_github_x`, `github.x`, `github-mcp-server-x`, `mcp__my-github__x`. */
function afterServer(folded: string): string | null {
  const flat = /^(?:mcp_github_(?!_)|github(?:-mcp)?(?:-server)?-)(.+)$/.exec(folded);
  if (flat) return flat[1] ?? null;
  const cut = Math.max(...['__', '.', '/', ':'].map((separator) => endOfLast(folded, separator)));
  return cut > 0 && folded.lastIndexOf('github', cut - 1) >= 0 && folded.indexOf('github') < cut - 1 ? folded.slice(cut) : null;
}

function endOfLast(text: string, separator: string): number {
  const at = text.lastIndexOf(separator);
  return at < 0 ? -1 : at + separator.length;
}

function withoutGithub(name: string): string {
  return name.replace(/^github_/, '');
}
