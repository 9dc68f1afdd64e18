import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { wordsOf } from '../elements/messages.ts';
import { basics } from '../elements/tokens.ts';
import { visibleText } from '../elements/visible-text.ts';
import type { Client, CreatePolicyInput, Policy, PolicyHandler } from '../sdk/index.ts';
import { pageStyles } from './page-styles.ts';
import { policyTable } from './policy-table.ts';
import { Query } from './query.ts';
import type { Viewer } from './viewer.ts';

const words = wordsOf('en');

type Target = CreatePolicyInput['target'];

interface Loaded {
  readonly title: string;
  readonly policies: readonly Policy[];
  readonly agents: readonly { readonly id: string; readonly name: string }[];
  readonly handlers: readonly PolicyHandler[];
}

/** The policies of the server, of an agent (`?agent=`) or of a session (`?session=`). */
export class PoliciesPage extends LitElement {
  static override readonly properties = { client: { attribute: false }, viewer: { attribute: false }, isCreating: { state: true } };

  static override readonly styles = [basics, pageStyles];

  declare client: Client;
  declare viewer: Viewer;
  declare isCreating: boolean;
  readonly #loaded = new Query<Loaded>(this);
  #target: Target = { server: true };

  constructor() {
    super();
    this.isCreating = false;
  }

  override willUpdate(changed: Map<string, unknown>): void {
    if (changed.has('client')) this.#read(targetIn(location.search));
  }

  override render(): TemplateResult {
    return html`<h1>Policies</h1>
      ${this.#loaded.render(
        ({ title, policies, agents, handlers }) => html`<div class="filters">
            <select aria-label="Whose policies" @change=${this.#choose}>
              <option value="" ?selected=${this.#target.server === true}>The server</option>
              ${agents.map(({ id, name }) => html`<option value=${id} ?selected=${this.#target.agentId === id}>Agent: ${name}</option>`)}
              ${this.#target.sessionId ? html`<option value="session" selected>${title}</option>` : nothing}
            </select>
            <button class="primary" ?disabled=${!this.viewer.mayManage} title=${this.viewer.mayManage ? nothing : 'Only admins change policies.'} @click=${() => (this.isCreating = !this.isCreating)}>${this.isCreating ? 'Close' : 'New policy'}</button>
          </div>
          ${this.viewer.mayManage ? nothing : html`<p class="muted">You may look. Only admins create, change and delete policies.</p>`}
          ${this.isCreating ? html`<section class="panel" aria-label="New policy"><console-policy-form .client=${this.client} .handlers=${handlers} .target=${this.#target} @saved=${() => this.#read(this.#target)}></console-policy-form></section>` : nothing}
          <h2>${visibleText(title, words)}</h2>
          ${policyTable(policies, words)}`,
      )}`;
  }

  readonly #choose = (event: Event): void => {
    const { value } = event.target as HTMLSelectElement;
    if (value !== 'session') this.#read(value === '' ? { server: true } : { agentId: value });
  };

  #read(target: Target): void {
    this.#target = target;
    this.isCreating = false;
    void this.#loaded.run(async () => {
      const [{ title, policies }, agents, handlers] = await Promise.all([readPolicies(this.client, target), this.client.agents({ first: 100 }), this.client.policyRegistry()]);
      return { title, policies, handlers, agents: agents.edges.map(({ node }) => node) };
    });
  }
}

function targetIn(search: string): Target {
  const given = new URLSearchParams(search);
  const [session, agent] = [given.get('session'), given.get('agent')];
  return session ? { sessionId: session } : agent ? { agentId: agent } : { server: true };
}

async function readPolicies(client: Client, { sessionId, agentId }: Target): Promise<{ title: string; policies: readonly Policy[] }> {
  if (sessionId) {
    const [session, found] = await Promise.all([client.session({ id: sessionId }), client.sessionPolicies({ id: sessionId })]);
    return { title: `Session: ${session?.title ?? sessionId}`, policies: found?.policies ?? [] };
  }
  if (agentId) {
    const [agent, found] = await Promise.all([client.agent({ id: agentId }), client.agentPolicies({ id: agentId })]);
    return { title: `Agent: ${agent?.name ?? agentId}`, policies: found?.policies ?? [] };
  }
  return { title: 'The server: for every session', policies: await client.serverPolicies() };
}
