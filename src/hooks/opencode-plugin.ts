import { hookWords, type Program } from './command-line.ts';
import type { Host } from './host.ts';

const firstLine = '// countersign: written by `countersign hook install opencode`, removed by the same with --undo.';

const timeoutSeconds = 3600;

export function isOurPlugin(text: string): boolean {
  return text.startsWith(firstLine);
}

/** The words of the command that a plugin of ours calls; null: it is none. */
export function wordsIn(plugin: string): Program | null {
  const [, list] = /^const words = (\[.*\]);$/m.exec(plugin) ?? [];
  return list === undefined || !isOurPlugin(plugin) ? null : (JSON.parse(list) as Program);
}

/** The same plugin, calling another command. */
export function withWords(plugin: string, words: Program): string {
  return plugin.replace(/^const words = \[.*\];$/m, () => `const words = ${JSON.stringify(words)};`);
}

/** A plugin for opencode, by the types of @opencode-ai/plugin 1.18: it asks the command before and after each tool, and before each prompt. */
export function openCodePlugin(program: Program, host: Host): string {
  return `${firstLine}
import { spawn } from 'node:child_process';

const words = ${JSON.stringify([...program, ...hookWords(host, null, timeoutSeconds)])};
const timeoutMilliseconds = ${timeoutSeconds * 1000};

/** What the command says. Rejects when it says nothing that could be acted on. */
function ask(payload) {
  return new Promise((resolve, reject) => {
    const [program, ...rest] = words;
    const child = spawn(program, rest, { stdio: ['pipe', 'pipe', 'pipe'], timeout: timeoutMilliseconds, killSignal: 'SIGKILL' });
    let said = '';
    let complaint = '';
    child.stdout.setEncoding('utf8').on('data', (text) => (said += text));
    child.stderr.setEncoding('utf8').on('data', (text) => (complaint += text));
    child.stdin.on('error', () => undefined);
    child.on('error', (error) => reject(new Error('Countersign: the hook cannot be run, so nothing is permitted: ' + error.message)));
    child.on('close', (code) => {
      if (code !== 0) return reject(new Error(complaint.trim() || 'Countersign: the hook failed, so nothing is permitted.'));
      try {
        resolve(said.trim() === '' ? {} : JSON.parse(said));
      } catch {
        reject(new Error('Countersign: the hook gave no answer, so nothing is permitted.'));
      }
    });
    child.stdin.end(JSON.stringify(payload));
  });
}

export const Countersign = async ({ client, directory }) => {
  const parents = new Map();

  /** A sub-agent's session has a parent. */
  async function sessionOf(sessionID) {
    if (!parents.has(sessionID)) {
      const found = await client.session.get({ path: { id: sessionID } }).catch(() => undefined);
      parents.set(sessionID, found?.data?.parentID);
    }
    return { sessionID, parentID: parents.get(sessionID), directory };
  }

  async function permit(payload) {
    const answer = await ask(payload);
    if (answer.decision !== 'allow') throw new Error(answer.reason || 'Countersign: nothing is permitted.');
    return answer;
  }

  return {
    'tool.execute.before': async ({ tool, sessionID, callID }, output) => {
      const { args } = await permit({ hook_event_name: 'tool.execute.before', ...(await sessionOf(sessionID)), tool, callID, args: output.args });
      if (args === undefined) return;
      for (const name of Object.keys(output.args)) delete output.args[name]; // opencode keeps the object
      Object.assign(output.args, args);
    },
    'tool.execute.after': async ({ tool, sessionID, callID, args }, output) => {
      const answer = await ask({ hook_event_name: 'tool.execute.after', ...(await sessionOf(sessionID)), tool, callID, args, output: output.output }).catch(() => ({}));
      if (answer.decision === 'deny') output.output = answer.reason;
      else if (answer.output !== undefined) output.output = answer.output;
    },
    'chat.message': async ({ sessionID, messageID, model }, { parts }) => {
      const text = parts.flatMap((part) => (part.type === 'text' && !part.synthetic ? [part.text] : [])).join('\\n');
      if (text.trim() === '') return;
      await permit({ hook_event_name: 'chat.message', ...(await sessionOf(sessionID)), messageID, model: model?.modelID, text });
    },
  };
};
`;
}
