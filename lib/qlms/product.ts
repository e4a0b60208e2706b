import { defineProduct, operatorAppends, operatorWrites } from '#lib/core/product.ts';

/** Questions in plain English, answered from stored facts without a language model. */
export const qlms = defineProduct({
  folder: 'qlms',
  serves: {
    'Model building (QLM)': {
      paths: ['/qlms', '/qlm-evaluations'],
      about: 'Questions in plain English, answered from stored facts, each with its sources and a seal.',
    },
  },
  uses: ['actions', 'ai', 'investment', 'ledger', 'models', 'workflows'],
  scopes: ['qlm:read', 'qlm:evaluate', 'qlm:invoke'],
  prefixes: {
    qlmModel: 'qlm',
    qlmVersion: 'qlv',
    qlmSuite: 'qls',
    qlmAnswer: 'qla',
    qlmEvaluation: 'qle',
    qlmProviderCall: 'qlc',
  },
  problems: {
    qlm_not_serving: { status: 409, title: 'The question model has no serving version' },
    qlm_suspended: { status: 409, title: 'The question model is suspended' },
    bound_model_unavailable: { status: 409, title: 'The bound numeric model is not available' },
    bound_model_drifted: { status: 409, title: 'The bound numeric model has drifted' },
    version_closed: { status: 409, title: 'The version can no longer be evaluated' },
    unknown_answer: { status: 422, title: 'The named answer does not exist' },
    option_out_of_range: { status: 422, title: 'The answer has no such option' },
  },
  tables: {
    qlm_model: { rows: 'environment', ...operatorWrites },
    qlm_version: { rows: 'environment', ...operatorWrites },
    qlm_serving: { rows: 'environment', ...operatorAppends },
    qlm_suite: { rows: 'environment', ...operatorAppends },
    qlm_answer: { rows: 'environment', operator: 'select', api: 'select, insert', worker: 'select' },
    /** The texts of questions. Workers delete texts whose retention period has ended. */
    qlm_question: {
      rows: 'environment',
      operator: 'select',
      api: 'select, insert',
      worker: 'select, delete',
    },
    /** Requests to a provider, which workers answer. They are deleted when an answer has used them. */
    qlm_provider_call: {
      rows: 'environment',
      operator: 'select',
      api: 'select, insert, delete',
      worker: 'select, update, delete',
    },
  },
  events: {
    'qlm:read': {
      'qlm.version_written': {
        about: 'A version of a question model was written.',
        members: ['version', 'change_kind'],
      },
      'qlm.rebound': {
        about: 'A new version binds a question model to another numeric model.',
        members: ['version', 'change_kind'],
      },
      'qlm.suite_imported': { about: 'A suite of cases was imported.', members: ['cases'] },
      'qlm.evaluated': {
        about: 'A version of a question model was evaluated.',
        members: ['version', 'passed', 'counts_for_gate'],
      },
      'qlm.approved': {
        about: 'A version of a question model was approved and is now the serving version.',
        members: ['version', 'evaluation_uid'],
      },
      'qlm.suspended': { about: 'A question model was suspended.', members: ['version'] },
      'qlm.resume_requested': {
        about: 'A person asked to resume a question model. Another person must confirm it.',
        members: ['version'],
      },
      'qlm.resumed': { about: 'A question model was resumed.', members: ['version'] },
      'qlm.retired': { about: 'A version of a question model was retired.', members: ['version'] },
    },
  },
});
