import { defineProduct, operatorAppends, operatorImports, operatorWrites } from '#lib/core/product.ts';

/**
 * Privileges on the tables that operators import into. Workflow steps also import files that an operator stored, into
 * datasets of their workspace.
 */
const imports = { operator: 'select, insert', api: 'select', worker: 'select, insert' };
const bulkImports = {
  operator: 'select, insert, maintain',
  api: 'select',
  worker: 'select, insert, maintain',
};

/** Datasets with their observations: instruments, prices, economics, metrics, taxonomies and numeric rows. */
export const data = defineProduct({
  folder: 'data',
  serves: {
    Data: {
      paths: ['/data'],
      about: 'Market, reference, fundamental and economic data, as they were known on a day.',
    },
  },
  scopes: ['data:economics:read', 'data:market:read', 'data:fundamentals:read', 'data:reference:read'],
  prefixes: {
    dataset: 'dst',
    datasetImport: 'imp',
    dataEntitlement: 'ent',
    instrument: 'ins',
  },
  asked: {
    dataset: {
      title: 'dataset',
      domain: 'data',
      names: ['dataset', 'datasets', 'data set', 'data sets'],
      table: 'dataset',
      rows: 'entitled',
      uid: 'uid',
      label: 'name',
      fields: {
        kind: { column: 'kind', reads: 'text', names: ['kind', 'type', 'what kind'] },
        revision: {
          column: 'revision',
          reads: 'count',
          names: ['revision', 'revision number', 'which revision'],
        },
        rows: {
          column: 'rows_held',
          reads: 'count',
          names: ['rows', 'observations', 'number of rows', 'row count'],
        },
        first_day: {
          column: 'first_observed_on',
          reads: 'text',
          names: ['first day', 'oldest day', 'begin', 'start on'],
        },
        last_day: {
          column: 'last_observed_on',
          reads: 'text',
          names: [
            'last day',
            'newest day',
            'latest day',
            'how fresh',
            'how up to date',
            'how current',
            'freshness',
          ],
        },
        source: { column: 'source', reads: 'text', names: ['source', 'come from', 'comes from'] },
        licence: { column: 'licence', reads: 'text', names: ['licence', 'license', 'terms of use'] },
      },
    },
  },
  problems: {
    unknown_dataset: { status: 404, title: 'The numeric dataset does not exist in the workspace' },
    dataset_not_governed: { status: 409, title: 'The dataset is not governed' },
    too_many_gaps: { status: 422, title: 'Too many periods of the series have no value' },
  },
  tables: {
    dataset: {
      rows: 'workspace',
      operator: 'select, insert, update',
      api: 'select',
      worker: 'select, update (revision, rows_held, content_hash, first_observed_on, last_observed_on)',
    },
    dataset_entitlement: {
      rows: 'workspace',
      operator: 'select, insert, update (opens_at, closes_at), delete',
      api: 'select',
      worker: 'select',
    },
    data_entitlement: { rows: 'workspace', ...operatorWrites },
    data_use: {
      rows: 'workspace',
      operator: 'select',
      api: 'select, insert, update (rows)',
      worker: 'select, insert, update (rows)',
    },
    dataset_import: { rows: 'workspace', ...imports },
    dataset_retention: { rows: 'workspace', ...operatorWrites },
    instrument: { rows: 'workspace', ...bulkImports },
    instrument_version: { rows: 'workspace', ...bulkImports },
    price: { rows: 'workspace', ...bulkImports },
    corporate_action: { rows: 'workspace', ...bulkImports },
    fundamental: { rows: 'workspace', ...bulkImports },
    economic_series: { rows: 'workspace', ...bulkImports },
    economic_observation: { rows: 'workspace', ...bulkImports },
    metric_definition: { rows: 'workspace', ...operatorAppends },
    company_metric: { rows: 'workspace', ...bulkImports },
    numeric_version: { rows: 'workspace', ...imports },
    numeric_row: { rows: 'workspace', ...bulkImports },
    numeric_description: { rows: 'workspace', ...operatorAppends },
    numeric_approval: { rows: 'workspace', ...operatorAppends },
    taxonomy_version: { rows: 'workspace', ...operatorImports },
    taxonomy_exposure: { rows: 'workspace', ...operatorImports },
  },
  events: {
    'infrastructure:read': {
      'data_entitlement.granted': {
        about: 'The terms on which the workspace may use a dataset were written.',
        members: ['dataset', 'state', 'licence_hash'],
      },
      'data_entitlement.approved': {
        about: 'A data entitlement was approved or resumed.',
        members: ['dataset', 'from'],
      },
      'data_entitlement.suspended': {
        about: 'A data entitlement was suspended.',
        members: ['dataset', 'from'],
      },
      'data_entitlement.ended': { about: 'A data entitlement ended.', members: ['dataset', 'from'] },
    },
    'data:reference:read': {
      'dataset.imported': { about: 'Data was imported into a dataset.', members: ['import', 'kind', 'rows'] },
      'dataset.described': 'The description or the governance data of a dataset was changed.',
      'dataset.approved': 'A numeric dataset was approved.',
      'dataset.retention_set': {
        about: 'The retention period of a dataset was set.',
        members: ['keep_years'],
      },
      'dataset.partition_dropped': {
        about: 'A table partition with observations older than the retention period was deleted.',
        members: ['from', 'before'],
      },
      'dataset.observations_dropped': {
        about: 'Observations older than the retention period of a dataset were deleted.',
        members: ['before', 'rows'],
      },
    },
  },
});
