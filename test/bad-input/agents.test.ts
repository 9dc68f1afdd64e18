import { describeFields } from './describe-fields.ts';

describeFields(['createAgent', 'updateAgent', 'createApiKey', 'revokeApiKey']);
