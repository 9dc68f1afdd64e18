import type { JSONRPCRequest, Result } from '@modelcontextprotocol/sdk/types.js';

/** Who the client is and what it can do, as it said when it introduced itself. */
export interface Introduction {
  /** The client's `initialize`, on its way to the server. */
  hear(request: JSONRPCRequest): void;
  /** The server's answer to it, which settles the revision. Gives the revision. */
  agree(result: Result): string;
  /** The program that runs the agent; null: it has not said. */
  readonly clientName: string | null;
  /** The ways in which the client shows questions to its user. */
  readonly modes: { readonly form: boolean; readonly url: boolean };
}

export function createIntroduction(): Introduction {
  let clientName: string | null = null;
  let elicitation: Readonly<Record<string, unknown>> | null = null;
  let revision = '';
  return {
    hear({ params }) {
      const { clientInfo, capabilities } = params ?? {};
      const name = isRecord(clientInfo) ? clientInfo['name'] : null;
      clientName = typeof name === 'string' && name.trim() !== '' ? name.trim().slice(0, 256) : null;
      const declared = isRecord(capabilities) ? capabilities['elicitation'] : null;
      elicitation = isRecord(declared) ? declared : null;
    },
    agree({ protocolVersion }) {
      revision = typeof protocolVersion === 'string' ? protocolVersion : '';
      return revision;
    },
    get clientName() {
      return clientName;
    },
    get modes() {
      if (elicitation === null || revision < firstWithForms) return { form: false, url: false };
      return { form: isRecord(elicitation['form']) || !isRecord(elicitation['url']), url: revision >= firstWithUrls && isRecord(elicitation['url']) };
    },
  };
}

/** Revisions of MCP are dates, which compare as text. In the first one that asks a client's user, `elicitation: {}` means forms. */
const firstWithForms = '2025-06-18';
const firstWithUrls = '2025-11-25';

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
