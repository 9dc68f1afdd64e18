import { argumentsOf, hasForm, outcomeOf, type Card } from './card.ts';
import { styled, wrap } from './layout.ts';

/** All that is to be known of a question before it is answered, in lines of at most so many columns. */
export function cardDetails(card: Card, { columns, now }: { readonly columns: number; readonly now: Date }): string[] {
  const { elicitation } = card;
  const { message, session, policyNames, phase, digest, event, expiresAt, requestedAt, maskedPaths, viewerCannotResolveReason, id } = elicitation;
  const outcome = outcomeOf(card);
  const field = (name: string, value: string) => wrap(`${name}: ${value}`, columns);
  const shown = phase === 'TOOL_CALL' ? argumentsOf(card) : ((event as { data?: unknown }).data ?? event);
  return [
    ...wrap(message, columns).map((line) => styled(line, 'bold')),
    ...(outcome === null ? [] : wrap(outcome, columns).map((line) => styled(line, 'yellow'))),
    ...(outcome === null && viewerCannotResolveReason ? wrap(viewerCannotResolveReason, columns).map((line) => styled(line, 'yellow')) : []),
    ...field('what', phase === 'TOOL_CALL' || phase === 'TOOL_RESULT' ? `${phase === 'TOOL_CALL' ? 'call of' : 'result of'} ${targetOf(event)}` : phase.toLowerCase().replace('_', ' ')),
    ...(phase === 'TOOL_CALL' ? ['arguments:'] : ['data:']),
    ...json(shown, columns),
    ...(maskedPaths.length > 0 ? field('masked', maskedPaths.join(', ')) : []),
    ...(hasForm(card) ? ['form:', ...json(elicitation.requestedSchema, columns)] : []),
    ...field('agent', session.agent.name),
    ...(session.title == null ? [] : field('session', session.title)),
    ...field('policies', policyNames.join(', ')),
    ...field('asked', `${ago(requestedAt, now)}, ${outcome === null ? `open for ${left(expiresAt, now)}` : id}`),
    ...field('digest', digest.slice(0, 8)),
  ];
}

export function targetOf(event: unknown): string {
  const { target } = event as { target?: unknown };
  return typeof target === 'string' ? target : '';
}

/** How long something is still open. */
export function left(expiresAt: unknown, now: Date): string {
  return duration(new Date(String(expiresAt)).getTime() - now.getTime());
}

function ago(at: unknown, now: Date): string {
  return `${duration(now.getTime() - new Date(String(at)).getTime())} ago`;
}

function duration(milliseconds: number): string {
  const seconds = Math.max(Math.round(milliseconds / 1000), 0);
  if (seconds < 100) return `${seconds}s`;
  if (seconds < 6000) return `${Math.round(seconds / 60)}m`;
  return seconds < 172_800 ? `${Math.round(seconds / 3600)}h` : `${Math.round(seconds / 86_400)}d`;
}

function json(value: unknown, columns: number): string[] {
  return JSON.stringify(value, null, 2).split('\n').flatMap((line) => wrap(line, columns));
}
