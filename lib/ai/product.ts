import { defineProduct, operatorAppends, operatorWrites } from '#lib/core/product.ts';

/** Connections to AI providers, and the cost of their use. */
export const ai = defineProduct({
  folder: 'ai',
  serves: {
    'AI providers': {
      paths: ['/ai'],
      about: 'The usage and cost of connections to providers of language models.',
    },
  },
  scopes: ['ai:connections:read'],
  prefixes: {
    aiConnection: 'aic',
    aiCall: 'aix',
  },
  tables: {
    /** Operators set the providers' keys. Workers read them. */
    ai_connection: { rows: 'environment', ...operatorWrites },
    ai_connection_key: {
      rows: 'environment',
      operator: 'select, insert, update (key_id, wrapped_key)',
      worker: 'select',
    },
    ai_price: { rows: 'environment', ...operatorAppends },
    ai_budget: { rows: 'environment', ...operatorAppends },
    ai_call: {
      rows: 'environment',
      operator: 'select, insert, update',
      api: 'select',
      worker: 'select, insert, update',
    },
  },
  events: {
    'ai:connections:read': {
      'ai.connection_created': 'A connection to an AI provider was created.',
      'ai.connection_revoked': 'A connection to an AI provider was revoked.',
      'ai.key_rotated': 'The key of an AI connection was replaced.',
      'ai.price_set': 'The token prices of an AI model were set.',
      'ai.budget_set': 'The spending limits of an AI connection were set.',
    },
  },
});
