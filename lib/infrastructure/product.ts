import { defineProduct } from '#lib/core/product.ts';

/**
 * Lineage, usage, and the state of the deployment. The terms on which data may be used belong to the product `data`.
 */
export const infrastructure = defineProduct({
  folder: 'infrastructure',
  uses: ['trust'],
  serves: {
    Infrastructure: {
      paths: ['/infrastructure'],
      about: 'The infrastructure of the service, and the lineage of results.',
    },
  },
  scopes: ['infrastructure:read', 'infrastructure:lineage'],
  prefixes: { lineageExport: 'lex' },
  problems: {
    export_in_progress: { status: 409, title: 'An equal export is not ready yet' },
  },
  tables: {
    /** A trigger of the table of runs writes the references. */
    run_reference: {
      rows: 'environment',
      operator: 'select, insert',
      api: 'select, insert',
      worker: 'select, insert',
      console: 'select, insert',
    },
    /** A trigger of the table of runs writes the references. */
    run_feature_reference: {
      rows: 'environment',
      operator: 'select, insert',
      api: 'select, insert',
      worker: 'select, insert',
      console: 'select, insert',
    },
    /** A trigger of the table of answers writes the references. */
    answer_reference: { rows: 'environment', operator: 'select', api: 'select, insert', worker: 'select' },
    posture_control: { rows: 'nobody', operator: 'select', api: 'select', worker: 'select, insert, update' },
    /** The commands for backups write the restore trials as the owner of the database. */
    restore_trial: { rows: 'nobody', operator: 'select', worker: 'select' },
    /** A closed bucket is written once. */
    usage_bucket: { rows: 'environment', operator: 'select', api: 'select', worker: 'select, insert' },
    /** Processes write their counts with a function of the owner. */
    usage_count: { rows: 'environment', operator: 'select', api: 'select', worker: 'select, delete' },
    usage_day: { rows: 'environment', operator: 'select', api: 'select', worker: 'select, insert' },
    meter_start: { rows: 'nobody', operator: 'select', api: 'select', worker: 'select' },
    storage_measurement: {
      rows: 'environment',
      operator: 'select',
      api: 'select',
      worker: 'select, insert',
    },
    lineage_export: {
      rows: 'environment',
      operator: 'select',
      api: 'select, insert',
      worker:
        'select, update (content, content_gzip, state, attempts, started_at, nodes, edges, truncated, has_columns, gaps, state_hash, content_hash, problem_code)',
    },
  },
  events: {
    'infrastructure:read': {
      'posture.changed': {
        about: 'The status of a control of the deployment changed.',
        members: ['control', 'from', 'to'],
        outcome: 'done',
      },
    },
    'infrastructure:lineage': {
      'lineage_export.ready': {
        about: 'An export of lineage is ready.',
        members: ['of', 'format', 'nodes', 'edges'],
      },
    },
  },
});
