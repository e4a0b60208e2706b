import { defineOperation } from '../../services.ts';
import { versionsQuery, versionsReply, VersionsPage } from '../generative/model-versions.ts';

export const listMlModels = defineOperation({
  key: 'ml.models.list',
  product: 'Models',
  method: 'GET',
  path: '/ml/models',
  scope: 'ml:read',
  summary: 'Lists the versions of numeric models, newest first.',
  description:
    'Returns versions of this workspace in the environment of the credential. `serves` marks the version that runs use.',
  query: versionsQuery,
  success: VersionsPage,
  problems: ['invalid_cursor'],
  async handle({ services, query }) {
    return versionsReply(services, query, { list: '/ml/models' });
  },
});
