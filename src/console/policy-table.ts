import { html, nothing, type TemplateResult } from 'lit';
import type { Words } from '../elements/messages.ts';
import { visibleText } from '../elements/visible-text.ts';
import type { Policy } from '../sdk/index.ts';

/** Policies in the order in which they are given, each with its level. */
export function policyTable(policies: readonly Policy[], words: Words): TemplateResult {
  if (policies.length === 0) return html`<p class="muted">There are none.</p>`;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Policies">
    <table>
      <thead><tr><th scope="col">Policy</th><th scope="col">Handler</th><th scope="col">Level</th><th scope="col">On</th></tr></thead>
      <tbody>
        ${policies.map(
          ({ id, name, handler, level, on, enabled, readOnly }) => html`<tr>
            <td><a href=${`/policies/${id}`}>${visibleText(name, words, 200)}</a> ${enabled ? nothing : html`<span class="badge">disabled</span>`} ${readOnly ? html`<span class="badge">from the configuration</span>` : nothing}</td>
            <td class="mono">${handler.name}</td>
            <td>${level.toLowerCase()}</td>
            <td class="muted">${on?.map(({ phase, toolName }) => (toolName ? `${phase} ${toolName}` : phase)).join(', ') ?? 'as the handler says'}</td>
          </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}
