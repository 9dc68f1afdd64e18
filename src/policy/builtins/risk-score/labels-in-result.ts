import { embeddedJson, isNestedTooDeep } from '../../embedded-json.ts';
import { foldName } from '../../folded-name.ts';
import { isJsonList, isJsonObject, type Json, type JsonObject } from '../../json.ts';
import { toolKey } from '../../tool-name.ts';

/**
 * The labels, as `foldName` compares them, that a result holds under one of the fields (`toolKey`s): at any depth, as a text, in a
 * list or inside an object; also in JSON inside a text, in `field: label` lines of a text, and in XML. Null: the result looks like
 * JSON in so many places, and is none, that it cannot be read; any label may be in it.
 */
export function labelsInResult(result: Json, fields: ReadonlySet<string>): ReadonlySet<string> | null {
  const search = new LabelSearch(fields);
  search.run(result);
  return search.isGivenUp ? null : search.labels;
}

interface Place {
  readonly value: Json;
  /** It stands under a field that holds labels. */
  readonly labelled: boolean;
  /** How many texts around it had to be parsed. */
  readonly texts: number;
}

class LabelSearch {
  readonly labels = new Set<string>();
  /** It ended before all was seen. */
  isGivenUp = false;
  #failures = 0;
  readonly #fields: ReadonlySet<string>;
  readonly #pending: Place[] = [];
  /** The same names come again and again. */
  readonly #known = new Map<string, boolean>();

  constructor(fields: ReadonlySet<string>) {
    this.#fields = fields;
  }

  /** Without recursion: the depth of a result is its sender's choice. */
  run(result: Json): void {
    this.#pending.push({ value: result, labelled: false, texts: 0 });
    for (let place = this.#pending.pop(); place && !this.isGivenUp; place = this.#pending.pop()) {
      const { value } = place;
      if (typeof value === 'string') this.#visitText(value, place);
      else if (isJsonList(value)) for (const item of value) this.#push({ ...place, value: item });
      else if (isJsonObject(value)) this.#visitObject(value, place);
    }
  }

  #visitObject(value: JsonObject, { labelled, texts }: Place): void {
    // Labels also come as pairs: { "name": "classification", "value": "Restricted" }.
    const isPair = pairNames.some((name) => this.#isField(value[name]));
    for (const [key, member] of Object.entries(value)) {
      this.#push({ value: member, labelled: labelled || isPair || this.#isField(key), texts });
    }
  }

  /** Numbers and the like hold no label. */
  #push(place: Place): void {
    if (typeof place.value === 'string' || (typeof place.value === 'object' && place.value !== null)) this.#pending.push(place);
  }

  #visitText(text: string, { labelled, texts }: Place): void {
    if (labelled) this.#addLabel(text);
    const inside = texts < textsMax ? this.#jsonInside(text) : [];
    for (const value of inside) this.#push({ value, labelled, texts: texts + 1 });
    // A text that is JSON as a whole has no lines of its own.
    if (inside.length > 0 && /^\s*[[{]/.test(text)) return;
    if (/[:=]/.test(text)) for (const line of text.match(lines) ?? []) this.#visitLine(line);
    for (const [, field, label] of text.matchAll(element)) if (this.#isField(field)) this.#addLabel(label ?? '');
  }

  #visitLine(line: string): void {
    if (line.length > lineCharsMax) return;
    const [, field, rest = ''] = labelledLine.exec(line) ?? [];
    if (!this.#isField(field)) return;
    const label = rest.replace(decorationAtEnd, '').replace(/^"(.*)"$/, '$1');
    this.#addLabel(label);
    this.#addLabel(label.split(/[,;|(]|\/\//)[0] ?? '');
  }

  /** The JSON that a text is, that stands between words of it, or that its lines are. */
  #jsonInside(text: string): readonly Json[] {
    const first = text.search(/[[{]/);
    if (first < 0) return [];
    const whole = this.#structure(text.slice(first, Math.max(text.lastIndexOf('}'), text.lastIndexOf(']')) + 1)) ?? this.#structure(text.trim());
    if (whole !== undefined) return [whole];
    const inLines = (text.match(lines) ?? []).map((line) => this.#structure(line.trim().replace(/^data:\s*/, '')));
    return inLines.filter((value) => value !== undefined);
  }

  #structure(text: string): Json | undefined {
    if (this.isGivenUp || !mayBeStructure.test(text)) return undefined;
    const value = embeddedJson(text);
    if (value === undefined) {
      this.#failures += 1;
      this.isGivenUp = this.#failures > failuresMax || isNestedTooDeep(text);
    }
    return value;
  }

  #isField(name: Json | undefined): boolean {
    if (typeof name !== 'string' || name.length > fieldCharsMax) return false;
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const isField = this.#fields.has(toolKey(name.replaceAll(/[\s.:]/g, '')));
    this.#known.set(name, isField);
    return isField;
  }

  #addLabel(label: string): void {
    if (label.length <= lineCharsMax) this.labels.add(foldName(label));
  }
}

const pairNames = ['name', 'key', 'field', 'id', 'title', 'label'];

/** JSON in JSON in JSON … */
const textsMax = 8;

/** By its beginning and its end. A text that is none costs more to find out than one that is. */
const mayBeStructure = /^(?:\{\s*["}]|\[\s*["[{\]\d\-tfn])[^]*[\]}]$/;

/** Logs and Markdown have a line in brackets here and there. */
const failuresMax = 2000;

const lineCharsMax = 300;

/** Shorter ones hold no label. */
const lines = /[^\n\r\u2028\u2029]{4,}/g;

const fieldCharsMax = 100;

/** `Classification: Restricted`, `- **dlp_label** = Restricted`, `  "sensitivity": "Internal",` */
const labelledLine = /^[\s*_#>|-]{0,40}"?([\p{L}\p{N}_. -]{2,60}?)"?[\s*_]{0,10}[:=][\s*_]{0,20}(\S.{0,200})$/u;

const decorationAtEnd = /[\s*_.;,|]{1,40}$/;

const element = /<([\w:.-]{2,60})(?:\s[^<>]{0,200})?>([^<>]{1,200})<\//g;
