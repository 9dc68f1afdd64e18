import { describeFields } from './describe-fields.ts';

describeFields(['createSession', 'updateSession', 'endSession', 'recordUsage']);
