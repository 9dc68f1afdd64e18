import { Ask } from './ask.ts';
import { Deadline } from './deadline.ts';
import { SchemaForm } from './schema-form.ts';

/** Makes the elements known to the page; those that already are stay as they are. */
export function defineElements(): void {
  define('countersign-ask', Ask);
  define('countersign-deadline', Deadline);
  define('countersign-schema-form', SchemaForm);
}

/** Two bundles on one page may both have an element. */
export function define(name: string, element: CustomElementConstructor): void {
  if (!customElements.get(name)) customElements.define(name, element);
}
