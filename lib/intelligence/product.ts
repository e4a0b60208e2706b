import { defineProduct, operatorAppends } from '#lib/core/product.ts';

/** The summary of a workspace, and the wording of its sections by a model. */
export const intelligence = defineProduct({
  folder: 'intelligence',
  serves: {
    Intelligence: {
      paths: ['/intelligence'],
      about: 'A summary of the workspace by domain, from stored records.',
    },
  },
  uses: ['ai'],
  scopes: ['intelligence:read'],
  tables: {
    summary_wording_choice: { rows: 'environment', ...operatorAppends },
    summary_wording: {
      rows: 'environment',
      operator: 'select',
      api: 'select',
      worker: 'select, insert, update',
    },
  },
  events: {
    'ai:connections:read': {
      'ai.wording_set': 'The AI model that writes the text of the workspace summary was chosen or removed.',
    },
  },
});
