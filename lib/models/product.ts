import { defineProduct, operatorAppends, operatorWrites } from '#lib/core/product.ts';

/** Numeric models: registry, training, evaluation, drift, scenarios, paths, anomalies. */
export const models = defineProduct({
  folder: 'models',
  serves: {
    Generative: { paths: ['/generative'], about: 'Sealed scenarios and samples of generative models.' },
    'Model building (LQM)': {
      paths: ['/lqm'],
      about: 'Numeric models on governed datasets: trainings, checkpoints, evaluations.',
    },
    Models: { paths: ['/ml'], about: 'Registered models with their versions and predictions.' },
  },
  uses: ['research'],
  scopes: ['generative:inference', 'generative:models:read', 'lqm:build:run', 'ml:inference', 'ml:read'],
  prefixes: {
    anomalyRun: 'ano',
    lqmModel: 'lqm',
    lqmVersion: 'lqv',
    modelTraining: 'trn',
    modelEvaluation: 'evl',
    driftAssessment: 'dft',
    retrainingRequest: 'rtq',
    scenarioRun: 'scn',
    pathRun: 'pth',
    modelScenarioRun: 'mls',
  },
  problems: {
    model_not_approved: { status: 409, title: 'The model has no approved and active version' },
    model_version_closed: { status: 409, title: 'The model version can no longer be changed' },
    no_checkpoint: { status: 409, title: 'The model has no checkpoint' },
    model_not_generative: { status: 409, title: 'Models of this family cannot generate samples' },
    context_missing: { status: 409, title: 'A current input value of the model is missing' },
    model_superseded: { status: 409, title: 'The version of the model has been superseded' },
    context_stale: { status: 409, title: 'The current input values of the model are too old' },
    context_unsynchronised: {
      status: 409,
      title: 'The current input values of the model are too far apart in time',
    },
    training_data_ineligible: { status: 422, title: 'The dataset cannot be used for training' },
    stress_invalid: { status: 422, title: 'The stress shocks are not valid' },
    reference_too_small: { status: 422, title: 'The reference data has too few rows' },
    drift_ineligible: { status: 409, title: 'Drift cannot be assessed for this dataset or checkpoint' },
  },
  tables: {
    model_version: { rows: 'nobody', ...operatorWrites },
    model_alias: { rows: 'nobody', ...operatorAppends },
    lqm_model: { rows: 'environment', ...operatorWrites },
    lqm_version: { rows: 'environment', ...operatorWrites },
    lqm_serving: { rows: 'environment', ...operatorAppends },
    /** Workers seal assessments and request reviews. Persons decide the reviews. */
    drift_metric: { rows: 'environment', operator: 'select', api: 'select', worker: 'select, insert' },
    retraining_request: {
      rows: 'environment',
      operator:
        'select, update (state, reviewed_by_uid, reviewed_at, reason, trained_version_uid, training_uid)',
      api: 'select',
      worker: 'select, insert',
    },
  },
  events: {
    'ml:read': {
      'drift.assessed': {
        about: 'The drift of a numeric model was assessed.',
        members: ['model_uid', 'severity', 'retraining_requested'],
      },
      'lqm.version_written': { about: 'A version of a numeric model was created.', members: ['version'] },
      'lqm.approved': {
        about: 'A version of a numeric model was approved and is in use.',
        members: ['version'],
      },
      'lqm.retired': { about: 'A version of a numeric model was retired.', members: ['version'] },
      'lqm.retraining_requested': {
        about:
          'Retraining was requested because of material drift. A person must approve or reject the request.',
        members: ['model_uid', 'assessment_uid'],
      },
      'lqm.retraining_approved': {
        about: 'A request to retrain a numeric model was approved.',
        members: ['model_uid'],
      },
      'lqm.retraining_rejected': {
        about: 'A request to retrain a numeric model was rejected.',
        members: ['model_uid'],
      },
      'model.activated': 'A model version was activated. Runs of the model now use this version.',
      'model.deactivated': 'A model was deactivated. Runs of the model are now refused.',
    },
  },
});
