import { css } from 'lit';

export const appStyles = css`
  :host {
    display: block;
    min-height: 100vh;
    background: var(--ground);
  }
  header {
    position: sticky;
    top: 0;
    z-index: 2;
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 4px 20px;
    min-height: 52px;
    padding: 0 24px;
    border-bottom: 1px solid var(--line);
    background: var(--surface);
  }
  .brand span {
    display: inline-grid;
    place-items: center;
    width: 22px;
    height: 22px;
    margin-inline-end: 4px;
    border-radius: 6px;
    background: var(--accent);
    color: var(--on-accent);
    font-size: 13px;
  }
  nav {
    display: flex;
    flex: 1 1 auto;
    gap: 2px;
    overflow-x: auto;
  }
  nav a {
    padding: 15px 10px 12px;
    border-bottom: 3px solid transparent;
    color: var(--muted);
    font-weight: 550;
    text-decoration: none;
    white-space: nowrap;
  }
  nav a:hover {
    color: var(--text);
  }
  nav a[aria-current] {
    border-color: var(--accent);
    color: var(--text);
  }
  nav a:focus-visible {
    outline-offset: -3px;
  }
  .count {
    padding: 0 7px;
    border-radius: 999px;
    background: var(--accent);
    color: var(--on-accent);
    font-size: 12px;
    font-variant-numeric: tabular-nums;
  }
  .viewer {
    font-size: 13px;
  }
  .skip {
    position: absolute;
    top: -60px;
  }
  .skip:focus {
    top: 8px;
    z-index: 3;
    padding: 6px 12px;
    background: var(--surface);
  }
  main {
    max-width: 1200px;
    margin: 0 auto;
    padding: 24px;
  }
  main:focus {
    outline: none;
  }
  .centre {
    display: grid;
    gap: 12px;
    justify-items: center;
    padding-top: 18vh;
  }
  @media (max-width: 700px) {
    header {
      padding: 8px 12px 0;
    }
    nav {
      order: 1;
      flex-basis: 100%;
    }
    nav a {
      padding: 8px 8px 6px;
    }
    .viewer {
      margin-inline-start: auto;
    }
    main {
      padding: 14px 12px;
    }
  }
`;
