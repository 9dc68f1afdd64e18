import { css } from 'lit';

/** What all pages but the inbox look like. */
export const pageStyles = css`
  :host {
    display: grid;
    gap: 16px;
    min-width: 0;
  }
  .scroll {
    overflow-x: auto;
    border: 1px solid var(--line);
    border-radius: var(--radius);
    background: var(--surface);
  }
  table {
    width: 100%;
    border-collapse: collapse;
  }
  th {
    color: var(--muted);
    font-size: 12.5px;
    font-weight: 550;
    text-align: start;
    white-space: nowrap;
  }
  th,
  td {
    padding: 8px 14px;
    border-bottom: 1px solid var(--line);
    vertical-align: top;
  }
  tr:last-child > td {
    border-bottom: 0;
  }
  td {
    overflow-wrap: anywhere;
  }
  td.when {
    color: var(--muted);
    font-variant-numeric: tabular-nums;
    white-space: nowrap;
  }
  .facts {
    display: grid;
    grid-template-columns: max-content minmax(0, 1fr);
    gap: 4px 16px;
  }
  .facts dt {
    color: var(--muted);
  }
  .facts dd {
    overflow-wrap: anywhere;
  }
  .columns {
    display: grid;
    grid-template-columns: minmax(0, 2fr) minmax(0, 1fr);
    gap: 16px;
    align-items: start;
  }
  .stack {
    display: grid;
    gap: 12px;
    min-width: 0;
  }
  .filters {
    display: flex;
    flex-wrap: wrap;
    gap: 8px;
  }
  .filters > * {
    width: auto !important;
  }
  nav.crumbs {
    font-size: 13px;
  }
  h1 {
    overflow-wrap: anywhere;
  }
  @media (max-width: 800px) {
    .columns {
      grid-template-columns: minmax(0, 1fr);
    }
    th,
    td {
      padding: 8px 10px;
    }
  }
`;
