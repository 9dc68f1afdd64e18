import { css, html, LitElement, svg, type TemplateResult } from 'lit';
import { durationText } from '../elements/duration.ts';
import { now } from '../elements/now.ts';
import { basics } from '../elements/tokens.ts';
import type { Client, Elicitation } from '../sdk/index.ts';
import { daysMax, figuresOf, type Figures } from './overview-figures.ts';
import { pageStyles } from './page-styles.ts';
import { Query } from './query.ts';

/** So many are read, the newest; it says so when there were more. */
const readMax = 2000;

const chart = { width: 700, height: 180, gap: 6, foot: 22 };

/** How much is asked, how fast it is decided, and by which policies. */
export class OverviewPage extends LitElement {
  static override readonly properties = { client: { attribute: false } };

  static override readonly styles = [
    basics,
    pageStyles,
    css`
      .figures {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(150px, 1fr));
        gap: 12px;
      }
      .figure strong {
        display: block;
        font-size: 26px;
        line-height: 1.2;
        font-variant-numeric: tabular-nums;
      }
      svg {
        width: 100%;
        height: auto;
      }
      .accepted {
        fill: var(--good);
      }
      .declined {
        fill: var(--bad);
      }
      .other {
        fill: var(--edge);
      }
      text {
        fill: var(--muted);
        font-size: 11px;
        text-anchor: middle;
      }
      .key::before {
        content: '';
        display: inline-block;
        width: 10px;
        height: 10px;
        margin-inline-end: 6px;
        border-radius: 2px;
        background: var(--edge);
      }
      .key.good::before {
        background: var(--good);
      }
      .key.bad::before {
        background: var(--bad);
      }
    `,
  ];

  declare client: Client;
  readonly #figures = new Query<Figures>(this);

  override willUpdate(changed: Map<string, unknown>): void {
    if (changed.has('client')) void this.#figures.run(() => this.#read());
  }

  override render(): TemplateResult {
    return html`<h1>Overview</h1>
      ${this.#figures.render((figures) => this.#shown(figures))}`;
  }

  #shown(figures: Figures): TemplateResult {
    const { total, isWhole, decided, medianMilliseconds, expiredShare, days, policies } = figures;
    return html`<p class="muted">The last ${daysMax} days${isWhole ? '' : `, of them the newest ${total} asks`}.</p>
      <div class="figures">
        ${figure('Asks', total)} ${figure('Decided by people', decided)} ${figure('Median time to decide', medianMilliseconds === null ? '–' : durationText(medianMilliseconds))} ${figure('Expired', `${(expiredShare * 100).toFixed(1)} %`)}
      </div>
      <section class="panel stack" aria-labelledby="days">
        <h2 id="days">Asks a day</h2>
        <p class="row"><span class="key good">accepted</span><span class="key bad">declined</span><span class="key">expired, withdrawn or waiting</span></p>
        ${bars(days)}
      </section>
      <section class="stack" aria-labelledby="policies">
        <h2 id="policies">Decisions by policy</h2>
        ${policies.length === 0 ? html`<p class="muted">Nothing has been asked.</p>` : html`<div class="scroll" tabindex="0" role="region" aria-label="Table of decisions"><table><thead><tr><th scope="col">Policy</th><th scope="col">Asks</th><th scope="col">Accepted</th><th scope="col">Declined</th><th scope="col">Expired</th></tr></thead><tbody>${policies.map(({ name, counts }) => html`<tr><td>${name}</td><td>${counts.total}</td><td>${counts.accepted}</td><td>${counts.declined}</td><td>${counts.expired}</td></tr>`)}</tbody></table></div>`}
      </section>`;
  }

  async #read(): Promise<Figures> {
    const since = new Date(now().getTime() - daysMax * 86_400_000);
    const elicitations: Elicitation[] = [];
    let isWhole = false;
    for (let after: string | null = null; elicitations.length < readMax; ) {
      const { edges, pageInfo }: Awaited<ReturnType<Client['elicitations']>> = await this.client.elicitations({ filter: { requestedAfter: since.toISOString() }, first: 100, after });
      elicitations.push(...edges.map(({ node }) => node));
      after = pageInfo.endCursor;
      if (pageInfo.hasNextPage) continue;
      isWhole = true;
      break;
    }
    return figuresOf(elicitations, { now: now(), isWhole });
  }
}

function figure(title: string, value: string | number): TemplateResult {
  return html`<div class="panel figure"><strong>${value}</strong><span class="muted">${title}</span></div>`;
}

function bars(days: Figures['days']): TemplateResult {
  const { width, height, gap, foot } = chart;
  const most = Math.max(1, ...days.map(({ counts }) => counts.total));
  const step = width / days.length;
  const tall = (count: number) => (count / most) * (height - foot - 16);
  const said = days.map(({ label, counts }) => `${label}: ${counts.total} asked, ${counts.accepted} accepted, ${counts.declined} declined`).join('; ');
  return html`<svg viewBox="0 0 ${width} ${height}" role="img" aria-label=${said}>
    ${days.map(({ label, counts }, index) => {
      const parts = [
        ['accepted', counts.accepted],
        ['declined', counts.declined],
        ['other', counts.total - counts.accepted - counts.declined],
      ] as const;
      let top = height - foot;
      return svg`<g>
        ${parts.map(([kind, count]) => {
          top -= tall(count);
          return svg`<rect class=${kind} x=${index * step + gap / 2} y=${top} width=${step - gap} height=${tall(count)} rx="1.5"></rect>`;
        })}
        ${counts.total > 0 ? svg`<text x=${(index + 0.5) * step} y=${top - 4}>${counts.total}</text>` : ''}
        <text x=${(index + 0.5) * step} y=${height - 6}>${label}</text>
      </g>`;
    })}
  </svg>`;
}
