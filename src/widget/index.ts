import { define, defineElements } from '../elements/define.ts';
import { Approval } from './approval.ts';
import { Approvals } from './approvals.ts';

/** The public entry `countersign/widget`: importing it makes `<countersign-approvals>` and `<countersign-approval>` known to the page. */
export type { ApprovalElement, ApprovalsElement, DecidedEvent, WidgetErrorEvent } from './public.ts';

defineElements();
define('countersign-approvals', Approvals);
define('countersign-approval', Approval);
