import { css, html, LitElement, type TemplateResult } from 'lit';
import { basics } from '../elements/tokens.ts';
import { dialogStyles } from './dialog-styles.ts';
import { inboxKeys, keysSetting } from './inbox-keys.ts';

/** What the keys do, and whether they do it. */
export class KeysDialog extends LitElement {
  static override readonly styles = [
    basics,
    dialogStyles,
    css`
      dialog {
        padding-inline: 24px;
      }
      dl {
        display: grid;
        grid-template-columns: auto 1fr;
        gap: 6px 20px;
        margin: 14px 0;
      }
      form {
        display: grid;
        gap: 14px;
      }
    `,
  ];

  open(): void {
    this.renderRoot.querySelector('dialog')?.showModal();
  }

  override render(): TemplateResult {
    return html`<dialog aria-labelledby="title">
      <h1 id="title">Keys</h1>
      <dl>${inboxKeys.map(([key, title]) => html`<dt><kbd>${key}</kbd></dt><dd>${title}</dd>`)}</dl>
      <form method="dialog">
        <label class="row"><input type="checkbox" .checked=${keysSetting.areOn()} @change=${(event: Event) => keysSetting.set((event.target as HTMLInputElement).checked)} />Single keys do something</label>
        <button>Close</button>
      </form>
    </dialog>`;
  }
}
