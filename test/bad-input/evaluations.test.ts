import { describeFields } from './describe-fields.ts';

describeFields(['evaluatePolicy', 'withdrawEvaluation']);
