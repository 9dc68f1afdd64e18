import type { Elicitation, Token } from '../sdk/index.ts';

/** Fired by both elements whenever one of the asks that they show is decided, there or elsewhere. `detail`: the ask, as it is now. */
export type DecidedEvent = CustomEvent<Elicitation>;

/** Fired by both elements when they cannot show what waits: `code` is the contract's, such as `UNAUTHENTICATED`, or `URL` for one that is missing or wrong. */
export type WidgetErrorEvent = CustomEvent<{ readonly code: string; readonly message: string }>;

interface WidgetElement extends HTMLElement {
  /** Where GraphQL is, such as `https://approvals.example/graphql`. Attribute `url`. */
  url: string;
  /** A key or token, or a function that gives one and is asked again whenever one is needed. Never an attribute: pages are kept and sent around. */
  token: Token | undefined;
  /** `light`, `dark`; empty: as the page's `color-scheme` says. Attribute `theme`. */
  theme: string;
}

/** `<countersign-approvals>`: all that waits, live. */
export interface ApprovalsElement extends WidgetElement {
  /** Only this session's asks and those of its sub-agents; empty: all that the token may see. Attribute `session`. */
  session: string;
}

/** `<countersign-approval>`: one ask, in full. */
export interface ApprovalElement extends WidgetElement {
  /** The elicitation's id. Attribute `elicitation`. */
  elicitation: string;
}

declare global {
  interface HTMLElementTagNameMap {
    'countersign-approvals': ApprovalsElement;
    'countersign-approval': ApprovalElement;
  }
}
