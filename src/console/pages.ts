import { define } from '../elements/define.ts';
import { AuditPage } from './audit-page.ts';
import { ElicitationPage } from './elicitation-page.ts';
import { OverviewPage } from './overview-page.ts';
import { PoliciesPage } from './policies-page.ts';
import { PolicyForm } from './policy-form.ts';
import { PolicyPage } from './policy-page.ts';
import { SessionPage } from './session-page.ts';
import { SessionsPage } from './sessions-page.ts';
import { Trial } from './trial.ts';

/** Makes all pages but the inbox known; those that are shown already come to life. */
export function definePages(): void {
  define('console-policy-form', PolicyForm);
  define('console-trial', Trial);
  define('console-elicitation', ElicitationPage);
  define('console-sessions', SessionsPage);
  define('console-session', SessionPage);
  define('console-policies', PoliciesPage);
  define('console-policy', PolicyPage);
  define('console-audit', AuditPage);
  define('console-overview', OverviewPage);
}
