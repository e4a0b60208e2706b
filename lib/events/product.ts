import { defineProduct } from '#lib/core/product.ts';

/** The events of a workspace and the webhooks that they go to. */
export const events = defineProduct({
  folder: 'events',
  serves: { Workspace: { paths: ['/events'] } },
  prefixes: {
    event: 'evt',
    webhook: 'whk',
    webhookDelivery: 'whd',
  },
  tables: {
    /** Made of entries of the log when they get their place. */
    event: { rows: 'environment', operator: 'select', api: 'select', worker: 'select, insert, delete' },
    event_position: { rows: 'environment', operator: 'select', worker: 'select, insert, update' },
    /** Operators say where events go; the io worker sends them, and stops where nobody takes them. */
    webhook: {
      rows: 'environment',
      operator: 'select, insert, update',
      worker: 'select, update (state, cause, failing_since, disabled_at)',
    },
    webhook_delivery: {
      rows: 'environment',
      operator: 'select, insert, update (state, attempts, due_at, ended_at)',
      worker: 'select, insert, update, delete',
    },
    webhook_attempt: { rows: 'environment', operator: 'select', worker: 'select, insert, delete' },
  },
  events: {
    'workspace:read': {
      'webhook.created': 'A webhook was created.',
      'webhook.rotated': 'The secret of a webhook was rotated.',
      'webhook.enabled': 'Events go to a webhook again.',
      'webhook.disabled': { about: 'No event goes to a webhook any more.', members: ['cause'] },
    },
  },
});
