import { css, html, nothing, type TemplateResult } from 'lit';
import type { Words } from '../elements/messages.ts';
import { visibleText } from '../elements/visible-text.ts';
import type { readShellCall } from '../policy/shell/shell-call.ts';

export type ShellReadings = ReturnType<typeof readShellCall>;

type Command = ShellReadings[number]['commands'][number];
type Word = Command['words'][number];

/** What command lines would run, one command a line, as policies see it: out of substitutions, `sh -c`, wrappers and the like. */
export function shellPanel(readings: ShellReadings, words: Words): TemplateResult {
  const commands = readings.flatMap((reading) => reading.commands);
  const unknowns = readings.flatMap((reading) => reading.unknowns);
  return html`<section class="panel stack" aria-labelledby="shell">
    <h2 id="shell">What this would run</h2>
    <ol class="shell" tabindex="0">
      ${commands.map((command) => html`<li>${commandLine(command, words)}</li>`)}
    </ol>
    ${unknowns.map(({ source, reason }) => html`<p class="warning"><span class="badge warn">cannot be known</span> <code>${visibleText(source, words, 400)}</code> <span class="muted">${reason}</span></p>`)}
  </section>`;
}

function commandLine({ path, program, words: args, redirects, certain, supposed, directory }: Command, words: Words): TemplateResult {
  return html`<span class="program">${visibleText(path || program || '(only redirections)', words)}</span> ${args.map((word) => argument(word, words))}
    ${redirects.map(({ operator, target }) => html`<span class="redirect">${operator} ${visibleText(target.text, words)}</span> `)}
    ${directory ? html`<span class="muted">in ${visibleText(directory, words)}</span>` : nothing}
    ${supposed ? html`<span class="badge warn">may be</span>` : certain ? nothing : html`<span class="badge">in part known</span>`}`;
}

function argument({ text, certain }: Word, words: Words): TemplateResult {
  const kind = certain ? (text.startsWith('-') ? 'option' : 'word') : 'unknown';
  return html`<span class=${kind}>${text === '' ? "''" : visibleText(text, words)}</span> `;
}

export const shellPanelStyles = css`
  .shell {
    display: grid;
    gap: 4px;
    max-height: 320px;
    overflow: auto;
    padding: 8px 10px;
    border-radius: var(--radius-small);
    background: var(--sunken);
    font: 12.5px/1.6 var(--mono);
    counter-reset: command;
  }
  .shell li {
    counter-increment: command;
    overflow-wrap: anywhere;
    white-space: normal;
  }
  .shell li::before {
    content: counter(command) '  ';
    color: var(--muted);
  }
  .program {
    color: var(--accent);
    font-weight: 700;
  }
  .option {
    color: var(--good);
  }
  .redirect,
  .unknown {
    color: var(--warn);
  }
  .warning {
    overflow-wrap: anywhere;
  }
`;
