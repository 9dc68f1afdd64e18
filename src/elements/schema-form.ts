import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { formFields, rawOf, readField, type FormField, type Raw } from './form-field.ts';
import { wordsOf, type Words } from './messages.ts';
import { basics } from './tokens.ts';

/** A form drawn from a JSON Schema. `read` gives its values, or null and shows what is wrong. Fires `input`. */
export class SchemaForm extends LitElement {
  static override readonly properties = { schema: { attribute: false }, values: { attribute: false }, words: { attribute: false }, problems: { attribute: false } };

  static override readonly styles = [
    basics,
    css`
      :host,
      fieldset {
        display: grid;
        gap: 12px;
      }
      .field,
      fieldset {
        display: grid;
        gap: 4px;
        min-width: 0;
        margin: 0;
        padding: 0;
        border: 0;
      }
      legend {
        padding: 0;
        font-weight: 550;
      }
      .tick {
        display: flex;
        align-items: center;
        gap: 8px;
        min-height: 24px;
      }
      .tick label {
        font-weight: 400;
      }
      textarea.code {
        font: 12.5px/1.55 var(--mono);
      }
      small {
        font-size: 12.5px;
      }
      .mark {
        color: var(--bad);
      }
    `,
  ];

  declare schema: Readonly<Record<string, unknown>>;
  /** What is in the fields at first; what is missing has the schema's default. */
  declare values: Readonly<Record<string, unknown>>;
  declare words: Words;
  /** By field: what is wrong with it, e.g. in the server's words. */
  declare problems: Readonly<Record<string, string>>;
  #raws = new Map<string, Raw>();

  constructor() {
    super();
    this.schema = {};
    this.values = {};
    this.words = wordsOf('en');
    this.problems = {};
  }

  /** The values, of which none is missing; null: something is wrong, and is shown. */
  read(): Record<string, unknown> | null {
    const values: Record<string, unknown> = {};
    const problems: Record<string, string> = {};
    for (const field of formFields(this.schema)) {
      const read = readField(field, this.#raw(field), this.words);
      if ('problem' in read) problems[field.name] = read.problem;
      else if (read.value !== undefined) values[field.name] = read.value;
    }
    this.problems = problems;
    const [wrong] = Object.keys(problems);
    if (wrong === undefined) return values;
    void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>(`[name=${CSS.escape(wrong)}]`)?.focus());
    return null;
  }

  override willUpdate(changed: Map<string, unknown>): void {
    if (changed.has('schema') || changed.has('values')) this.#raws = new Map();
  }

  override render(): TemplateResult {
    const fields = formFields(this.schema);
    return fields.length === 0 ? html`<p class="muted">${this.words.say('noFields')}</p>` : html`${fields.map((field) => this.#field(field))}`;
  }

  #raw(field: FormField): Raw {
    return this.#raws.get(field.name) ?? rawOf(field, this.values);
  }

  #set(field: FormField, raw: Raw): void {
    this.#raws.set(field.name, raw);
    this.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  }

  #field(field: FormField): TemplateResult {
    const { name, label, description, isRequired, kind } = field;
    const problem = this.problems[name];
    const notes = html`<small id=${`${name}-notes`}>
      ${description === '' ? nothing : html`<span class="muted">${description}</span>`} ${problem === undefined ? nothing : html`<span class="problem">${problem}</span>`}
    </small>`;
    const title = html`${label}${isRequired ? html` <span class="mark" aria-hidden="true">*</span>` : nothing}`;
    if (kind === 'choices') return html`<fieldset><legend>${title}</legend>${this.#ticks(field)}${notes}</fieldset>`;
    if (kind === 'boolean') return html`<div class="field"><div class="tick">${this.#control(field)}<label for=${name}>${title}</label></div>${notes}</div>`;
    return html`<div class="field"><label for=${name}>${title}</label>${this.#control(field)}${notes}</div>`;
  }

  #ticks(field: FormField): TemplateResult[] {
    const ticked = this.#raw(field) as readonly string[];
    return field.choices.map(({ value, label }, index) => {
      const change = (event: Event) => this.#set(field, (event.target as HTMLInputElement).checked ? [...(this.#raw(field) as readonly string[]), value] : (this.#raw(field) as readonly string[]).filter((one) => one !== value));
      return html`<div class="tick"><input type="checkbox" id=${`${field.name}-${index}`} name=${field.name} .checked=${ticked.includes(value)} @change=${change} /><label for=${`${field.name}-${index}`}>${label}</label></div>`;
    });
  }

  #control(field: FormField): TemplateResult {
    const { name, kind, isRequired, schema, choices } = field;
    const raw = this.#raw(field);
    const change = (event: Event) => this.#set(field, (event.target as HTMLInputElement).value);
    const notes = `${name}-notes`;
    const isWrong = this.problems[name] === undefined ? nothing : 'true';
    if (kind === 'boolean') {
      return html`<input type="checkbox" id=${name} name=${name} .checked=${raw === true} aria-describedby=${notes} @change=${(event: Event) => this.#set(field, (event.target as HTMLInputElement).checked)} />`;
    }
    if (kind === 'choice') {
      return html`<select id=${name} name=${name} aria-describedby=${notes} aria-required=${isRequired} aria-invalid=${isWrong} @change=${change}>
        ${isRequired && raw !== '' ? nothing : html`<option value="" ?selected=${raw === ''}></option>`}
        ${choices.map(({ value, label }) => html`<option value=${value} ?selected=${raw === value}>${label}</option>`)}
      </select>`;
    }
    const isLong = kind === 'json' || kind === 'lines' || schema['format'] === 'textarea' || (typeof raw === 'string' && (raw.includes('\n') || raw.length > 60));
    if (isLong) {
      return html`<textarea class="code" id=${name} name=${name} rows=${Math.min(14, Math.max(2, String(raw).split('\n').length))} spellcheck="false" aria-describedby=${notes} aria-required=${isRequired} aria-invalid=${isWrong} .value=${raw} @input=${change}></textarea>`;
    }
    return html`<input type=${inputType(kind, schema['format'])} step=${kind === 'number' ? 'any' : nothing} id=${name} name=${name} autocomplete="off" aria-describedby=${notes} aria-required=${isRequired} aria-invalid=${isWrong} .value=${raw} @input=${change} />`;
  }
}

function inputType(kind: FormField['kind'], format: unknown): string {
  if (kind === 'number' || kind === 'integer') return 'number';
  const byFormat: Readonly<Record<string, string>> = { email: 'email', uri: 'url', date: 'date' };
  return (typeof format === 'string' ? byFormat[format] : undefined) ?? 'text';
}

/** A schema for values that have none: each property by its JSON type, all of them needed. */
export function schemaOfValues(values: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const schemaOf = (value: unknown): object => {
    if (typeof value === 'string') return { type: 'string', minLength: 0, ...(value.includes('\n') || value.length > 60 ? { format: 'textarea' } : {}) };
    if (typeof value === 'number') return { type: 'number' };
    return typeof value === 'boolean' ? { type: 'boolean' } : {};
  };
  return { type: 'object', properties: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, schemaOf(value)])), required: Object.keys(values) };
}
