import { defineProduct } from '#lib/core/product.ts';

/** Cells: whole deployments that share no database. A workspace belongs to one cell and can be moved to another. */
export const cells = defineProduct({
  folder: 'cells',
  uses: ['events', 'ai'],
  events: {
    'workspace:read': {
      'workspace.exported': 'Everything of the workspace was exported to a file.',
      'workspace.imported': 'The workspace was imported from a file.',
    },
  },
});
