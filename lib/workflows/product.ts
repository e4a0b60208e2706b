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
    workflowInstallation: 'wfi',
    workflowLibraryItem: 'wfl',
    proofOfValue: 'pov',
  },
  problems: {
    finops_policy_is_observational: {
      status: 422,
      title: 'The cost policy only observes and cannot stop runs',
    },
    library_item_withdrawn: { status: 409, title: 'The workflow was withdrawn from the library' },
    different_version_installed: {
      status: 409,
      title: 'The workflow is installed in another version or with other parameters',
    },
    installation_superseded: { status: 409, title: 'The installation was already replaced or removed' },
    proof_of_value_active: { status: 409, title: 'A proof of value of the workflow is still open' },
    baseline_evidence_required: { status: 422, title: 'The baseline has no evidence' },
    window_invalid: { status: 422, title: 'The window is not valid' },
    window_in_past: { status: 422, title: 'The window has already begun' },
    statistic_mismatch: { status: 422, title: 'The statistic does not fit the objective' },
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
      console: 'select, update (state, ended_at)',
    },
    workflow_step: {
      rows: 'environment',
      operator: 'select, insert, update (state, error_code, decided_by_uid, ended_at)',
      api: 'select',
      worker: `select, insert,
      update (state, attempts, not_before, job_uid, output, output_hash, error_code, started_at, ended_at)`,
      console: 'select, update (state, decided_by_uid, ended_at)',
    },
    workflow_step_run: { rows: 'environment', operator: 'select', api: 'select', worker: 'select, insert' },
    workflow_watch: {
      rows: 'environment',
      operator: 'select, insert, update (look_at)',
      worker: 'select, insert, update (look_at), delete',
      console: 'select, insert, update (look_at)',
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
    /** Two persons of the operator offer an item. Every workspace reads what was published. */
    workflow_library_item: {
      rows: 'nobody',
      operator: 'select, insert, update (state, approved_by_uid, published_at, deprecated_at, withdrawn_at)',
      api: 'select',
      worker: 'select',
    },
    /** Applications install items. An installation enables nothing. Persons remove installations. */
    workflow_installation: {
      rows: 'environment',
      operator: 'select, insert, update (superseded_at, removed_at, removed_by_uid)',
      api: 'select, insert, update (superseded_at)',
      worker: 'select',
    },
    /**
     * Applications register the terms. Workers write the verdict after the end of the window. Persons can withdraw a
     * proof.
     */
    proof_of_value: {
      rows: 'environment',
      operator: 'select, update (state, withdrawn_at, withdrawn_by_uid)',
      api: 'select, insert',
      worker: 'select, update (state, outcome, seal, verdict_at)',
    },
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
      'workflow.installed': {
        about: 'A workflow of the library was installed.',
        members: ['workflow', 'version', 'replaces'],
      },
      'workflow.installation_removed': {
        about: 'An installation of a workflow was removed.',
        members: ['workflow', 'version'],
      },
      'proof_of_value.registered': {
        about: 'The terms of a proof of value were fixed.',
        members: ['workflow'],
      },
      'proof_of_value.withdrawn': { about: 'A proof of value was withdrawn.', members: ['workflow'] },
      'proof_of_value.verdict': {
        about: 'The window of a proof of value ended, and its verdict was sealed.',
        members: ['workflow', 'verdict'],
      },
      'workflow.rate_set': 'The price of a second of computing time was set.',
      'finops.policy_updated': 'The cost policy of the workflows was replaced.',
      'finops.threshold_crossed': {
        about: 'The workflow costs of a month reached a threshold of a budget.',
        members: ['month', 'workflow', 'threshold_pct', 'currency', 'cost_basis'],
      },
    },
  },
});
