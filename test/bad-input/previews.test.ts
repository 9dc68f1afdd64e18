import { describeFields } from './describe-fields.ts';

describeFields(['previewEvaluation', 'simulatePolicy']);
