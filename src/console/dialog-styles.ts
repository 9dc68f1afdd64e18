import { css } from 'lit';

/** How each dialog of the console looks. */
export const dialogStyles = css`
  dialog {
    padding: 20px;
    border: 1px solid var(--line);
    border-radius: var(--radius);
    background: var(--surface);
    color: var(--text);
  }
  dialog::backdrop {
    background: rgb(10 12 18 / 55%);
  }
`;
