import { isObject } from './judged-event.ts';
import type { Words } from './messages.ts';

export interface Choice {
  readonly value: string;
  readonly label: string;
}

/** What a field is drawn as. `json`: whatever has no control of its own. */
export type FieldKind = 'text' | 'number' | 'integer' | 'boolean' | 'choice' | 'choices' | 'lines' | 'json';

/** One property of a form's schema. */
export interface FormField {
  readonly name: string;
  readonly label: string;
  readonly description: string;
  readonly kind: FieldKind;
  readonly isRequired: boolean;
  readonly choices: readonly Choice[];
  readonly schema: Readonly<Record<string, unknown>>;
}

/** As a control holds it: text, a tick, or the ticked ones. */
export type Raw = string | boolean | readonly string[];

/** The fields of a JSON Schema for an object: all of MCP's primitives, and lists of text; the rest is JSON. */
export function formFields(schema: Readonly<Record<string, unknown>>): readonly FormField[] {
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  return Object.entries(properties).map(([name, given]) => {
    const property = isObject(given) ? withoutNull(given) : {};
    const choices = choicesOf(property, property['enumNames']);
    const items = isObject(property['items']) ? property['items'] : {};
    const itemChoices = property['type'] === 'array' ? choicesOf(items, items['enumNames']) : [];
    return {
      name,
      label: textIn(property, 'title') ?? name,
      description: textIn(property, 'description') ?? textIn(isObject(given) ? given : {}, 'description') ?? '',
      kind: kindOf(property, choices, itemChoices),
      isRequired: required.includes(name),
      choices: choices.length > 0 ? choices : itemChoices,
      schema: property,
    };
  });
}

/** What a field holds at first: the value that is given, else its default, else nothing. */
export function rawOf({ kind, name, schema }: FormField, values: Readonly<Record<string, unknown>>): Raw {
  const value = Object.hasOwn(values, name) ? values[name] : schema['default'];
  if (kind === 'boolean') return value === true;
  if (kind === 'choices') return Array.isArray(value) ? value.map(String) : [];
  if (value === undefined || value === null) return '';
  if (kind === 'lines') return Array.isArray(value) ? value.map(String).join('\n') : '';
  return typeof value === 'string' && kind !== 'json' ? value : JSON.stringify(value, null, 2);
}

export type ReadField = { readonly value: unknown } | { readonly problem: string };

/** The value that a control's text stands for; `undefined`: left out. The server has the last word on it. */
export function readField({ kind, schema, isRequired }: FormField, raw: Raw, { say }: Words): ReadField {
  if (typeof raw === 'boolean') return { value: raw };
  if (typeof raw !== 'string') return isRequired && raw.length === 0 ? { problem: say('mustBeFilled') } : { value: raw.length === 0 && !isRequired ? undefined : raw };
  const mayBeEmpty = kind === 'text' && isRequired && schema['minLength'] === 0;
  if (raw === '' && !mayBeEmpty) return isRequired && kind !== 'lines' ? { problem: say('mustBeFilled') } : { value: isRequired ? [] : undefined };
  switch (kind) {
    case 'number':
    case 'integer':
      return readNumber(raw, schema, { say, isWhole: kind === 'integer' });
    case 'lines':
      return { value: raw.split('\n').filter((line) => line !== '') };
    case 'json':
      try {
        return { value: JSON.parse(raw) };
      } catch (error) {
        return { problem: say('mustBeJson', { problem: error instanceof Error ? error.message : '' }) };
      }
    case 'text':
      return readText(raw, schema, say);
    case 'choice':
    case 'choices':
    case 'boolean':
      return { value: raw };
  }
}

function readNumber(raw: string, { minimum, maximum }: FormField['schema'], { say, isWhole }: { readonly say: Words['say']; readonly isWhole: boolean }): ReadField {
  const value = Number(raw);
  if (!Number.isFinite(value)) return { problem: say('mustBeNumber') };
  if (isWhole && !Number.isInteger(value)) return { problem: say('mustBeWhole') };
  if (typeof minimum === 'number' && value < minimum) return { problem: say('mustBeAtLeast', { bound: minimum }) };
  if (typeof maximum === 'number' && value > maximum) return { problem: say('mustBeAtMost', { bound: maximum }) };
  return { value };
}

function readText(raw: string, { minLength, maxLength }: FormField['schema'], say: Words['say']): ReadField {
  const length = Array.from(raw).length;
  if (typeof minLength === 'number' && length < minLength) return { problem: say('mustHaveAtLeast', { bound: minLength }) };
  if (typeof maxLength === 'number' && length > maxLength) return { problem: say('mustHaveAtMost', { bound: maxLength }) };
  return { value: raw };
}

function kindOf(property: FormField['schema'], choices: readonly Choice[], itemChoices: readonly Choice[]): FieldKind {
  if (choices.length > 0) return 'choice';
  if (itemChoices.length > 0) return 'choices';
  const items = isObject(property['items']) ? property['items'] : {};
  switch (property['type']) {
    case 'string':
      return 'text';
    case 'number':
    case 'integer':
    case 'boolean':
      return property['type'];
    case 'array':
      return items['type'] === 'string' ? 'lines' : 'json';
    default:
      return 'json';
  }
}

/** `enum` with or without names, or a list of titled constants. */
function choicesOf(property: FormField['schema'], names: unknown): readonly Choice[] {
  const { enum: values, oneOf, anyOf } = property;
  if (Array.isArray(values) && values.every((value) => typeof value === 'string')) {
    return values.map((value, index) => ({ value, label: Array.isArray(names) && typeof names[index] === 'string' ? names[index] : value }));
  }
  const titled = Array.isArray(oneOf) ? oneOf : Array.isArray(anyOf) ? anyOf : [];
  const constants = titled.filter((one): one is { const: string; title?: unknown } => isObject(one) && typeof one['const'] === 'string');
  return constants.length < titled.length ? [] : constants.map((one) => ({ value: one.const, label: typeof one.title === 'string' ? one.title : one.const }));
}

/** A property that may also be null is one that may be left out. */
function withoutNull(property: FormField['schema']): FormField['schema'] {
  const { anyOf, type } = property;
  if (Array.isArray(type)) return { ...property, type: type.find((one) => one !== 'null') };
  if (!Array.isArray(anyOf)) return property;
  const others = anyOf.filter((one) => isObject(one) && one['type'] !== 'null');
  return others.length === 1 && isObject(others[0]) && anyOf.length === 2 ? { ...property, ...others[0], anyOf: undefined } : property;
}

function textIn(property: FormField['schema'], key: string): string | null {
  const value = property[key];
  return typeof value === 'string' ? value : null;
}
