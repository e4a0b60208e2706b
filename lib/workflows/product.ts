import { defineProduct, operatorAppends } from '#lib/core/product.ts';

/** The library of workflows, their admission, runs, schedules and costs. */
export const workflows = defineProduct({
  folder: 'workflows',
  serves: {
    Workflows: { paths: ['/workflow-studio', '/workflows'], about: 'Governed workflows and their policies.' },
  },
  scopes: ['workflow:read', 'workflow:manage'],
  prefixes: {
    workflowVersion: 'wfv',
    workflowAdmission: 'wfa',
    workflowRun: 'wfr',
    workflowRate: 'wft',
    workflowSchedule: 'wfs',
    workflowFile: 'wff',
    finopsPolicy: 'fin',
  },
  problems: {
    finops_policy_is_observational: {
      status: 422,
      title: 'The cost policy only observes and cannot stop runs',
    },
    unknown_workflow: { status: 422, title: 'The workflow does not exist in the workspace' },
  },
  tables: {
    /**
     * Persons publish workflows, start their runs and decide in them. Credentials cannot do this. Workers advance the
     * runs.
     */
    workflow_version: {
      rows: 'environment',
      operator: 'select, insert, update (state, published_by_uid, published_at, ended_at)',
      api: 'select',
      worker: 'select',
    },
    workflow_admission: {
      rows: 'environment',
      operator: 'select, insert',
      api: 'select',
      worker: 'select, insert',
    },
    workflow_run: {
      rows: 'environment',
      operator: 'select, insert, update (state, ended_at)',
      api: 'select',
      worker: 'select, insert, update (state, error_code, outputs_hash, started_at, ended_at)',
    },
    workflow_step: {
      rows: 'environment',
      operator: 'select, insert, update (state, error_code, decided_by_uid, ended_at)',
      api: 'select',
      worker: `select, insert,
      update (state, attempts, not_before, job_uid, output, output_hash, error_code, started_at, ended_at)`,
    },
    workflow_step_run: { rows: 'environment', operator: 'select', api: 'select', worker: 'select, insert' },
    workflow_watch: {
      rows: 'environment',
      operator: 'select, insert, update (look_at)',
      worker: 'select, insert, update (look_at), delete',
    },
    /** Persons set schedules. Workers start the runs. A scheduled start needs an admission like any other start. */
    workflow_schedule: {
      rows: 'environment',
      operator: 'select, insert, update (state, due_at, look_at)',
      worker: `select, update (due_at, look_at, last_due_at, last_outcome, last_missed, last_admission_uid,
      last_run_uid)`,
    },
    workflow_file: { rows: 'environment', operator: 'select, insert, update (removed_at)', worker: 'select' },
    workflow_file_chunk: { rows: 'environment', operator: 'select, insert, delete', worker: 'select' },
    workflow_meter: { rows: 'environment', operator: 'select', api: 'select', worker: 'select, insert' },
    workflow_budget_crossing: { rows: 'environment', operator: 'select, insert', worker: 'select, insert' },
    workflow_rate: { rows: 'environment', ...operatorAppends },
    finops_policy: { rows: 'environment', operator: 'select', api: 'select, insert', worker: 'select' },
  },
  events: {
    'workflow:read': {
      'workflow.admission_decided': {
        about: 'The start of a workflow was admitted or denied.',
        members: ['workflow', 'version', 'decision'],
        outcome: 'either',
      },
      'workflow.run_started': {
        about: 'A run of a workflow started.',
        members: ['workflow', 'version', 'admission_uid'],
      },
      'workflow.step_approved': 'A person approved the waiting steps of a run.',
      'workflow.run_cancelled': 'A run of a workflow was cancelled.',
      'workflow.run_ended': {
        about: 'A run of a workflow ended.',
        members: ['workflow', 'state', 'error_code'],
      },
      'workflow.scheduled': {
        about: 'A schedule of a workflow was set.',
        members: ['workflow'],
      },
      'workflow.schedule_suspended': {
        about: 'A schedule of a workflow was suspended.',
        members: ['workflow'],
      },
      'workflow.schedule_resumed': { about: 'A schedule of a workflow was resumed.', members: ['workflow'] },
      'workflow.schedule_removed': { about: 'A schedule of a workflow was removed.', members: ['workflow'] },
      'workflow.rate_set': 'The price of a second of computing time was set.',
      'finops.policy_updated': 'The cost policy of the workflows was replaced.',
      'finops.threshold_crossed': {
        about: 'The workflow costs of a month reached a threshold of a budget.',
        members: ['month', 'workflow', 'threshold_pct', 'currency', 'cost_basis'],
      },
    },
  },
});
