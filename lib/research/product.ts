import { defineProduct, operatorAppends, operatorWrites } from '#lib/core/product.ts';

/** Features, research projects, snapshots and experiments. */
export const research = defineProduct({
  folder: 'research',
  serves: {
    Quant: {
      paths: ['/quant'],
      about: 'Research snapshots, features and compute jobs.',
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
    no_observations: { status: 422, title: 'No feature value was known by the end of the as-of date' },
    leakage: { status: 422, title: 'The request would use data from after the as-of date' },
    experiment_too_large: {
      status: 422,
      title: 'The matrices of the snapshots have too many cells in total',
    },
    snapshots_differ: { status: 422, title: 'The snapshots cannot be combined' },
    unknown_feature: { status: 422, title: 'The feature does not exist in the workspace' },
    snapshot_altered: { status: 409, title: 'A snapshot does not match its seal' },
    target_unobserved: { status: 422, title: 'Too few target values have been observed' },
  },
  tables: {
    feature: { rows: 'workspace', ...operatorWrites },
    feature_version: { rows: 'workspace', ...operatorAppends },
    /** Values of features. Workers write them in materialisations, and operators in imports. */
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
      'project.updated': {
        about: 'A new version of a research project was written.',
        members: ['id', 'version'],
      },
    },
  },
});
