const least = [22, 18] as const;

/** What is wrong with this version of Node and what to do; null: nothing. */
export function unsuitableNode(version: string): string | null {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > least[0] || (major === least[0] && minor >= least[1])) return null;
  return `Node ${version} is too old: install Node ${least.join('.')} or newer, or start it with npx --package node@24 --package countersign countersign`;
}
