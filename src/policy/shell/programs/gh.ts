import { anything } from '../flow.ts';
import { field, type ProgramHandler } from '../machine.ts';
import { quoteFields } from '../quote.ts';
import { carrier } from './remote.ts';
import { runLine } from './wrappers.ts';

const codespace = carrier('', /^(codespace|cs|ssh)$/);

/** gh itself, what its aliases stand for, and what it runs in a codespace. */
export const gh: ProgramHandler = (call, machine) => {
  const [first, second, ...rest] = call.args;
  const { gitAliases } = call.frame.scope;
  if (first?.text === 'alias' && (second?.text === 'set' || second?.text === 'import')) {
    const [name, text] = rest.filter((word) => !word.text.startsWith('-'));
    const isShell = rest.some((word) => word.text === '-s' || word.text === '--shell');
    if (name && text) gitAliases.set(`gh ${name.text}`, [isShell ? `!${text.text}` : text.text]);
  }
  for (const alias of gitAliases.get(`gh ${first?.text ?? ''}`) ?? []) {
    const args = call.args.slice(1);
    const there = { ...call.frame, depth: call.frame.depth + 1 };
    if (alias.startsWith('!')) runLine(`${alias.slice(1)} ${quoteFields(args)}`, there, machine);
    else machine.runExternal([field('gh'), ...machine.wordsOf(alias, there), ...args], there);
  }
  if (first?.text === 'codespace' || first?.text === 'cs') return codespace(call, machine);
  machine.emit(call);
  return anything;
};
