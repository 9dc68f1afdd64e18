import { describeFields } from './describe-fields.ts';

describeFields(['createPolicy', 'updatePolicy', 'deletePolicy']);
