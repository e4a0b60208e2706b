import { defineOperation } from '../../services.ts';
import { versionsQuery, versionsReply, VersionsPage } from './model-versions.ts';

export const listGenerativeModels = defineOperation({
  key: 'generative.models.list',
  product: 'Generative',
  method: 'GET',
  path: '/generative/models',
  scope: 'generative:models:read',
  summary: 'Lists the model versions that can generate scenarios and paths, newest first.',
  description:
    'Returns versions of this workspace in the environment of the credential. `serves` marks the version that runs use.',
  query: versionsQuery,
  success: VersionsPage,
  problems: ['invalid_cursor'],
  async handle({ services, query }) {
    return versionsReply(services, query, { list: '/generative/models', family: 'regime_ghmm' });
  },
});
