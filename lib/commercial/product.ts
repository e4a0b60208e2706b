import { defineProduct } from '#lib/core/product.ts';

/** The sealed reports of the value of financial actions. */
export const commercial = defineProduct({
  folder: 'commercial',
  serves: {
    Commercial: { paths: ['/commercial'], about: 'Plans, entitlements and usage of the workspace.' },
  },
  scopes: ['commercial:read'],
  prefixes: {
    valueSnapshot: 'val',
  },
  tables: {
    value_snapshot: {
      rows: 'environment',
      operator: 'select, insert',
      api: 'select',
      worker: 'select, insert',
    },
  },
  events: {
    'commercial:read': {
      'value.snapshot_sealed': 'A snapshot of the value of financial actions was sealed.',
    },
  },
});
