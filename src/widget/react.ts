import { createComponent } from '@lit/react';
import * as React from 'react';
import './index.ts';
import type { ApprovalElement, ApprovalsElement, DecidedEvent, WidgetErrorEvent } from './public.ts';

interface WidgetProps<Element> extends React.RefAttributes<Element> {
  readonly url: string;
  readonly token?: ApprovalsElement['token'];
  readonly theme?: 'light' | 'dark';
  readonly lang?: string;
  readonly dir?: 'ltr' | 'rtl' | 'auto';
  readonly className?: string;
  readonly style?: React.CSSProperties;
  readonly onDecided?: (event: DecidedEvent) => void;
  readonly onError?: (event: WidgetErrorEvent) => void;
}

export interface CountersignApprovalsProps extends WidgetProps<ApprovalsElement> {
  readonly session?: string;
}

export interface CountersignApprovalProps extends WidgetProps<ApprovalElement> {
  readonly elicitation: string;
}

const events = { onDecided: 'decided', onError: 'error' };

/** The public entry `countersign/widget/react`: `<countersign-approvals>` as a component. Give `token` a function that stays the same between renders. */
export const CountersignApprovals = wrapped<CountersignApprovalsProps>('countersign-approvals', 'CountersignApprovals');

/** `<countersign-approval>` as a component. */
export const CountersignApproval = wrapped<CountersignApprovalProps>('countersign-approval', 'CountersignApproval');

/** Under our own types: whoever uses them has those of React, and not those of the library that wraps. */
function wrapped<Props>(tagName: string, displayName: string): React.FunctionComponent<Props> {
  const elementClass = customElements.get(tagName) as new () => HTMLElement;
  return createComponent({ react: React, tagName, elementClass, displayName, events }) as unknown as React.FunctionComponent<Props>;
}
