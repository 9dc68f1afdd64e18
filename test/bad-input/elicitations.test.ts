import { describeFields } from './describe-fields.ts';

describeFields(['resolveElicitation', 'resolveElicitations']);
