import { defineProduct } from '#lib/core/product.ts';

/** The events of a workspace, and the webhooks that receive them. */
export const events = defineProduct({
  folder: 'events',
  serves: { Workspace: { paths: ['/events'] } },
  prefixes: {
    event: 'evt',
    webhook: 'whk',
    webhookDelivery: 'whd',
  },
  tables: {
    /** Events are created from audit log entries when these entries get their position in the log tree. */
    event: { rows: 'environment', operator: 'select', api: 'select', worker: 'select, insert, delete' },
    event_position: { rows: 'environment', operator: 'select', worker: 'select, insert, update' },
    /**
     * Operators configure webhooks. The io worker sends events to them, and disables webhooks whose receivers stop
     * accepting messages.
     */
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
      'webhook.enabled': 'A webhook was enabled.',
      'webhook.disabled': { about: 'A webhook was disabled.', members: ['cause'] },
    },
  },
});
