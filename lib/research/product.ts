import { defineProduct, operatorAppends, operatorWrites } from '#lib/core/product.ts';

/** Features, research projects, snapshots and experiments. */
export const research = defineProduct({
  folder: 'research',
  serves: {
    Quant: {
      paths: ['/quant'],
      about: 'Research snapshots, features, and the compute jobs of all heavy work.',
    },
  },
  uses: ['forecasting'],
  scopes: [
    'quant:research:run',
    'quant:research:read',
    'quant:models:run',
    'quant:models:read',
    'quant:features:read',
    'quant:compute:run',
    'quant:compute:read',
  ],
  prefixes: {
    feature: 'ftr',
    featureVersion: 'ftv',
    featureMaterialisation: 'ftm',
    researchProject: 'rpj',
    projectVersion: 'rpv',
    researchSnapshot: 'rss',
    researchRun: 'rsr',
  },
  problems: {
    no_observations: { status: 422, title: 'Nothing was observed by the as-of date' },
    leakage: { status: 422, title: 'The features would know what lies behind the as-of date' },
    experiment_too_large: { status: 422, title: 'The experiment has too many cells' },
    snapshots_differ: { status: 422, title: 'The snapshots do not go together' },
    unknown_feature: { status: 422, title: 'The workspace has no such feature' },
    snapshot_altered: { status: 409, title: 'A sealed snapshot is not what was sealed' },
    target_unobserved: { status: 422, title: 'Too few targets were observed' },
  },
  tables: {
    feature: { rows: 'workspace', ...operatorWrites },
    feature_version: { rows: 'workspace', ...operatorAppends },
    /** Materialised by workers; brought by operators. */
    feature_value: {
      rows: 'workspace',
      operator: 'select, insert, maintain',
      api: 'select',
      worker: 'select, insert, maintain',
    },
    feature_materialisation: {
      rows: 'workspace',
      operator: 'select, insert, update',
      api: 'select',
      worker: 'select, insert, update',
    },
    research_project: { rows: 'workspace', ...operatorWrites },
    project_version: { rows: 'workspace', ...operatorAppends },
  },
  events: {
    'quant:research:read': {
      'project.created': { about: 'A research project was created.', members: ['id', 'version'] },
      'project.updated': { about: 'A research project has a new version.', members: ['id', 'version'] },
    },
  },
});
