import { css } from 'lit';

/**
 * The one place for colours, sizes and fonts. A page sets `--countersign-*` to make them its own; each has a light and a dark value, chosen
 * by `color-scheme`. Text on its surface has a contrast of at least 4.5 : 1, borders of controls of at least 3 : 1.
 */
export const tokens = css`
  :host {
    --surface: var(--countersign-surface, light-dark(#ffffff, #171a21));
    --ground: var(--countersign-ground, light-dark(#f6f7f9, #0f1115));
    --sunken: var(--countersign-sunken, light-dark(#f1f3f6, #0b0d11));
    --line: var(--countersign-line, light-dark(#dfe3ea, #2b303b));
    --edge: var(--countersign-edge, light-dark(#7d8698, #727c91));
    --text: var(--countersign-text, light-dark(#171b24, #e8ebf1));
    --muted: var(--countersign-muted, light-dark(#545d6e, #a3acbd));
    --accent: var(--countersign-accent, light-dark(#3d4fd6, #93a1ff));
    --on-accent: var(--countersign-on-accent, light-dark(#ffffff, #10142e));
    --accent-soft: var(--countersign-accent-soft, light-dark(#eceefc, #23284a));
    --good: var(--countersign-good, light-dark(#0d6b3d, #6ed6a0));
    --good-soft: var(--countersign-good-soft, light-dark(#e3f4ea, #12301f));
    --bad: var(--countersign-bad, light-dark(#b3261e, #ff9b92));
    --bad-soft: var(--countersign-bad-soft, light-dark(#fbe9e7, #3a1a18));
    --warn: var(--countersign-warn, light-dark(#7a4d00, #f3c06b));
    --warn-soft: var(--countersign-warn-soft, light-dark(#fdf1d8, #33270f));
    --font: var(--countersign-font, system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', sans-serif);
    --mono: var(--countersign-mono, ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace);
    --radius: var(--countersign-radius, 10px);
    --radius-small: 6px;
    --shadow: 0 1px 2px light-dark(rgb(16 24 40 / 7%), rgb(0 0 0 / 40%));
  }
`;

/** What controls and text look like within any element of ours. */
export const basics = css`
  :host {
    font: 400 14px/1.5 var(--font);
    color: var(--text);
  }
  :host([hidden]),
  [hidden] {
    display: none !important;
  }
  *,
  *::before,
  *::after {
    box-sizing: border-box;
  }
  h1,
  h2,
  h3,
  p,
  dl,
  dd,
  ul,
  ol,
  pre,
  figure {
    margin: 0;
    padding: 0;
  }
  ul,
  ol {
    list-style: none;
  }
  h1 {
    font-size: 20px;
    line-height: 1.3;
    letter-spacing: -0.01em;
  }
  h2 {
    font-size: 15px;
    line-height: 1.4;
  }
  h3 {
    font-size: 13px;
    line-height: 1.4;
  }
  a {
    color: var(--accent);
    text-underline-offset: 2px;
  }
  code,
  pre,
  .mono {
    font-family: var(--mono);
    font-size: 12.5px;
    line-height: 1.55;
  }
  button,
  input,
  select,
  textarea {
    font: inherit;
    color: inherit;
  }
  button {
    display: inline-flex;
    align-items: center;
    justify-content: center;
    gap: 6px;
    min-height: 32px;
    padding: 4px 12px;
    border: 1px solid var(--line);
    border-radius: var(--radius-small);
    background: var(--surface);
    font-weight: 550;
    white-space: nowrap;
    cursor: pointer;
  }
  button:hover:not(:disabled) {
    border-color: var(--edge);
  }
  button:disabled {
    cursor: not-allowed;
    color: var(--muted);
    background: var(--sunken);
  }
  button.primary:not(:disabled) {
    border-color: transparent;
    background: var(--accent);
    color: var(--on-accent);
  }
  button.danger:not(:disabled) {
    color: var(--bad);
  }
  button.plain {
    border-color: transparent;
    background: none;
    color: var(--accent);
  }
  input:not([type='checkbox'], [type='radio']),
  select,
  textarea {
    width: 100%;
    min-height: 32px;
    padding: 5px 9px;
    border: 1px solid var(--edge);
    border-radius: var(--radius-small);
    background: var(--surface);
  }
  textarea {
    min-height: 72px;
    resize: vertical;
  }
  input[type='checkbox'],
  input[type='radio'] {
    width: 18px;
    height: 18px;
    margin: 0;
    accent-color: var(--accent);
  }
  label {
    font-weight: 550;
  }
  kbd {
    padding: 0 5px;
    border: 1px solid currentcolor;
    border-radius: 4px;
    font: 500 11px/1.5 var(--mono);
    opacity: 0.85;
  }
  @media (hover: none) {
    kbd {
      display: none !important;
    }
  }
  :focus-visible {
    outline: 2px solid var(--accent);
    outline-offset: 2px;
  }
  .muted {
    color: var(--muted);
  }
  .problem {
    color: var(--bad);
  }
  .row {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 8px;
  }
  .grow {
    flex: 1 1 auto;
    min-width: 0;
  }
  .panel {
    padding: 16px;
    border: 1px solid var(--line);
    border-radius: var(--radius);
    background: var(--surface);
    box-shadow: var(--shadow);
  }
  .badge {
    display: inline-flex;
    align-items: center;
    gap: 4px;
    padding: 0 8px;
    border-radius: 999px;
    background: var(--sunken);
    color: var(--muted);
    font-size: 12px;
    font-weight: 550;
    line-height: 20px;
    white-space: nowrap;
  }
  .badge.good {
    background: var(--good-soft);
    color: var(--good);
  }
  .badge.bad {
    background: var(--bad-soft);
    color: var(--bad);
  }
  .badge.warn {
    background: var(--warn-soft);
    color: var(--warn);
  }
  .badge.accent {
    background: var(--accent-soft);
    color: var(--accent);
  }
  .unseen {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  @media (prefers-reduced-motion: no-preference) {
    button {
      transition: border-color 0.12s;
    }
  }
`;
