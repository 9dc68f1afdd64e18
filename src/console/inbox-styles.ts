import { css } from 'lit';

export const inboxStyles = css`
  :host {
    display: grid;
    gap: 14px;
  }
  .tools input[type='search'] {
    width: 180px;
  }
  .tools select {
    width: auto;
  }
  .tools label {
    font-weight: 400;
  }
  .banner {
    padding: 10px 14px;
    border-radius: var(--radius-small);
  }
  .banner.warn {
    background: var(--warn-soft);
    color: var(--warn);
  }
  .banner.bad {
    background: var(--bad-soft);
    color: var(--bad);
  }
  .selection {
    position: sticky;
    top: 60px;
    z-index: 1;
    padding: 8px 14px;
    border: 1px solid var(--accent);
    border-radius: var(--radius);
    background: var(--accent-soft);
  }
  .cards {
    display: grid;
    gap: 10px;
  }
  .cards > li {
    scroll-margin: 110px 0 40px;
    padding: 12px 16px;
    content-visibility: auto;
    contain-intrinsic-size: auto 210px;
  }
  .cards > li:focus {
    outline: 2px solid var(--accent);
    outline-offset: 1px;
  }
  .cards > li.selected {
    border-color: var(--accent);
  }
  .cards > li.done {
    background: none;
    box-shadow: none;
  }
  .body {
    display: flex;
    gap: 12px;
  }
  .body > input {
    flex: none;
    margin-top: 3px;
  }
  .session {
    padding-bottom: 8px;
  }
  .empty {
    padding: 14vh 0;
    text-align: center;
  }
  @media (max-width: 700px) {
    .cards > li {
      padding: 10px 12px;
    }
    .tools input[type='search'] {
      width: 100%;
    }
  }
`;
