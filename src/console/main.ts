import { define, defineElements } from '../elements/define.ts';
import { App } from './app.ts';
import { BulkDialog } from './bulk-dialog.ts';
import { InboxPage } from './inbox-page.ts';
import { KeysDialog } from './keys-dialog.ts';
import { SignIn } from './sign-in.ts';

defineElements();
define('console-sign-in', SignIn);
define('console-inbox', InboxPage);
define('console-bulk-dialog', BulkDialog);
define('console-keys-dialog', KeysDialog);
define('console-app', App);

/** What is not the inbox is loaded after it. */
void import('./pages.ts').then(({ definePages }) => definePages());
