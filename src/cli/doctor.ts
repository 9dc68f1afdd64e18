import { faults, type Cell } from '../hooks/drill.ts';
import { environment } from '../hooks/environment.ts';
import { examineHost, type Examination } from '../hooks/examine-host.ts';
import { examineServer, type ServerExamination } from '../hooks/examine-server.ts';
import { findHost, hosts } from '../hooks/index.ts';
import { UsageFault } from './usage-fault.ts';

export interface DoctorOptions {
  readonly json?: boolean;
}

/** Exit code 0: whatever was tried, no denied call would have run. 1: one would have, or something is missing, or there is nothing to prove. */
export async function doctor(names: readonly string[], { json = false }: DoctorOptions): Promise<number> {
  const unknown = names.find((name) => !findHost(name));
  if (unknown !== undefined) throw new UsageFault(`There is no hook for ${JSON.stringify(unknown)}: it must be one of ${hosts.map(({ name }) => name).join(', ')}`);
  if (process.platform === 'win32') throw new UsageFault('The drill is for POSIX shells: run it where the agent runs, in WSL');
  const surroundings = environment();
  const chosen = hosts.filter(({ name }) => names.length === 0 || names.includes(name));
  const [server, ...examined] = await Promise.all([examineServer(surroundings), ...chosen.map((host) => examineHost(host, surroundings))]);
  const examinations = examined.flat();
  const absent = names.filter((name) => !examinations.some(({ host }) => host === name));
  const safe = server.problem === null && examinations.length > 0 && absent.length === 0 && examinations.every(isSafe);
  process.stdout.write(json ? `${JSON.stringify({ safe, server, hosts: examinations, absent }, null, 2)}\n` : inWords({ safe, server, examinations, absent }));
  return safe ? 0 : 1;
}

function isSafe({ problems, cells }: Examination): boolean {
  return problems.length === 0 && cells.length > 0 && cells.every(({ runs }) => !runs);
}

interface Findings {
  readonly safe: boolean;
  readonly server: ServerExamination;
  readonly examinations: readonly Examination[];
  readonly absent: readonly string[];
}

function inWords({ safe, server, examinations, absent }: Findings): string {
  const lines = [
    `server    ${server.url ?? 'unknown'}  ${server.problem === null ? `answers; you are ${server.caller ?? 'nobody'}` : `NO: ${server.problem}`}`,
    ...examinations.flatMap(({ title, scope, file, problems }) => [`settings  ${title} (${scope})  ${file}  ${problems.length === 0 ? 'right' : 'NO'}`, ...problems.map((problem) => `          ${problem}`)]),
    ...absent.map((name) => `settings  ${name}  is not on this machine`),
    ...(examinations.length === 0 && absent.length === 0 ? ['settings  no coding agent that we know is on this machine'] : []),
    ...table(examinations.filter(({ cells }) => cells.length > 0)),
    ...examinations.flatMap(({ title, gaps }) => gaps.map((gap) => `beware    ${title}: ${gap}`)),
    safe ? 'safe: no denied call would have run' : 'NOT SAFE: see above',
  ];
  return `${lines.join('\n')}\n`;
}

/** What became of a denied call under each fault: a row each, a column for each host. */
function table(examinations: readonly Examination[]): string[] {
  if (examinations.length === 0) return [];
  const rows = [['a denied call', ...examinations.map(({ host, scope }) => (scope === 'user' ? host : `${host} (${scope})`))], ...faults.map((fault) => [fault, ...examinations.map(({ cells }) => inCell(cells.find((cell) => cell.fault === fault)))])];
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows.map((row) => `drill     ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ').trimEnd()}`);
}

function inCell(cell: Cell | undefined): string {
  return cell === undefined ? '-' : cell.runs ? 'RUNS' : 'blocked';
}
