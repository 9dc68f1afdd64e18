import type { ArithmeticExpression, WordPart } from 'unbash';
import { evaluateArithmetic, type ArithmeticContext } from './arithmetic.ts';
import type { Expansion } from './machine.ts';
import { isKnown } from './marks.ts';
import { variable } from './parameter.ts';

type Inner = Extract<ArithmeticExpression, { type: 'ArithmeticCommandExpansion' }>;

/** What `$((…))` becomes: digits, or a hole for them. */
export function evaluateExpansion(part: Extract<WordPart, { type: 'ArithmeticExpansion' }>, expansion: Expansion, run: (inner: Inner) => string | null): string {
  const value = part.expression ? evaluateArithmetic(part.expression, arithmeticContext(expansion, run)) : null;
  return value === null ? expansion.machine.marks.add(part.text, 'tame') : String(value);
}

export function arithmeticContext(expansion: Expansion, run: (inner: Inner) => string | null): ArithmeticContext {
  const { scope } = expansion.frame;
  return {
    run,
    read(word) {
      if (/^\d/.test(word)) return word;
      const name = word.startsWith('$') ? word.replace(/^\$\{?|\}$/g, '') : word;
      // A value is evaluated too, and an index in it may hold a substitution.
      const value = variable(name, expansion).texts.join(' ');
      if (value.includes('$(') || value.includes('`')) expansion.machine.expandText(value, expansion.frame);
      if (word.includes('$(') || word.includes('`')) expansion.machine.expandText(word, expansion.frame);
      return isKnown(value) ? value : null;
    },
    assign(name, value) {
      scope.assign(name, [[value ?? expansion.machine.marks.add(`$${name}`, 'tame')]]);
    },
  };
}
