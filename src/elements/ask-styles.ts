import { css } from 'lit';

export const askStyles = css`
  :host {
    display: block;
  }
  article {
    display: grid;
    gap: 6px;
    min-width: 0;
  }
  h2 {
    font-family: var(--mono);
    overflow-wrap: anywhere;
  }
  .who,
  .why {
    overflow-wrap: anywhere;
  }
  .why {
    white-space: pre-wrap;
  }
  .content {
    max-height: 320px;
    overflow: auto;
    padding: 8px 10px;
    border-radius: var(--radius-small);
    background: var(--sunken);
  }
  :host([whole]) .content {
    max-height: 70vh;
  }
  p.row:not(:has(*)) {
    display: none;
  }
  .facts {
    column-gap: 16px;
    font-size: 12.5px;
    overflow-wrap: anywhere;
  }
  .foot {
    display: grid;
    gap: 8px;
    min-height: 32px;
    align-items: center;
  }
  .field {
    display: grid;
    gap: 4px;
  }
  .note,
  .outcome {
    font-size: 13px;
    overflow-wrap: anywhere;
  }
  .outcome .badge {
    white-space: normal;
  }
  .decided h2,
  .decided .content,
  .decided .why {
    color: var(--muted);
  }
`;
