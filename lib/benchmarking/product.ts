import { defineProduct } from '#lib/core/product.ts';

/** Comparisons of a workspace with others that take part, under rules of statistical disclosure control. */
export const benchmarking = defineProduct({
  folder: 'benchmarking',
  serves: {
    Benchmarking: {
      paths: ['/benchmarking'],
      about: 'Operational figures of the workspace, compared with other workspaces that take part.',
    },
  },
  scopes: ['benchmark:read'],
  prefixes: { benchmarkMembership: 'bmm', benchmarkCell: 'bmc' },
  problems: {
    period_open: { status: 422, title: 'The month has not ended' },
  },
  tables: {
    /** Persons decide on the operator surface whether a workspace takes part. */
    benchmark_membership: {
      rows: 'environment',
      operator: 'select, insert, update (left_by_uid, left_at)',
      api: 'select',
      worker: 'select',
    },
    /** A contribution and a cell are written once. No role may change them. */
    benchmark_contribution: {
      rows: 'environment',
      operator: 'select',
      api: 'select',
      worker: 'select, insert',
    },
    benchmark_period: { rows: 'nobody', operator: 'select', worker: 'select, insert' },
    benchmark_cell: { rows: 'nobody', operator: 'select', api: 'select', worker: 'select, insert' },
    benchmark_cell_basis: { rows: 'nobody', operator: 'select', worker: 'select, insert' },
    benchmark_parameter: { rows: 'nobody', operator: 'select, insert', worker: 'select' },
  },
  events: {
    'benchmark:read': {
      'benchmark.joined': 'The workspace joined the benchmarks.',
      'benchmark.left': 'The workspace left the benchmarks.',
      'benchmark.cell_published': {
        about: 'The benchmark cells of a month to which the workspace contributed were published.',
        members: ['period', 'cells'],
      },
    },
  },
});
