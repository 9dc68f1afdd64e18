import { html, nothing, type TemplateResult } from 'lit';
import type { Decided } from './decide.ts';
import type { Entry } from './inbox.ts';
import type { Words } from './messages.ts';
import { now } from './now.ts';

/** By whom and when it was decided. */
export function outcomeText({ status, resolution, expiresAt }: Entry['elicitation'], { say, time }: Words): TemplateResult {
  const values = { name: resolution?.by.name ?? '', time: time(resolution?.at ?? expiresAt, now()) };
  const comment = resolution?.comment ? html`<q>${resolution.comment}</q>` : nothing;
  switch (status) {
    case 'ACCEPTED':
      return html`<span class="badge good">✓ ${say('acceptedBy', values)}${resolution?.editedArguments ? `, ${say('edited')}` : ''}</span> ${comment}`;
    case 'DECLINED':
      return html`<span class="badge bad">✕ ${say('declinedBy', values)}</span> ${comment}`;
    case 'EXPIRED':
      return html`<span class="badge warn">${say('expired', values)}</span>`;
    case 'CANCELLED':
      return html`<span class="badge">${say('cancelledBy', values)}</span> ${comment}`;
    case 'PENDING':
    default:
      return html`${nothing}`;
  }
}

/** Why a try decided nothing. */
export function failureText(failure: Decided, { say }: Words): string {
  if (failure.kind === 'decided') return '';
  if (failure.kind === 'unknown') return failure.message === '' ? say('cannotBeReached') : say('refused', { reason: failure.message });
  const { result } = failure;
  switch (result.__typename) {
    case 'AlreadyResolvedError':
      return say('decidedMeanwhile');
    case 'StaleElicitationError':
      return say('stale');
    case 'EditRefusedError':
      return `${say('editRefused')} ${[result.message, ...result.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)].join(' ')}`;
    case 'InvalidInputError':
      return say('refused', { reason: result.issues.map(({ path, message }) => `${path.slice(1).join('.')} ${message}`).join('; ') || result.message });
    default:
      return say('refused', { reason: result.message });
  }
}
