import { defineProduct } from '#lib/core/product.ts';

/**
 * The privileges on the audit log. Each process that causes an effect appends the entry of the effect. No process can
 * change an entry. A process states only the workspace, the environment and the body of an entry; the database
 * generates all other columns.
 */
const auditAppends = 'select, insert (workspace_uid, environment, body)';
const sequencerAppends = { operator: 'select', api: 'select', worker: 'select, insert' };

/** The audit log. */
export const audit = defineProduct({
  folder: 'audit',
  prefixes: {
    auditEntry: 'aud',
  },
  tables: {
    audit_entry: {
      rows: 'environment',
      operator: auditAppends,
      api: auditAppends,
      worker: auditAppends,
      console: auditAppends,
    },
    audit_pending: {
      rows: 'environment',
      operator: 'select, insert',
      api: 'select, insert',
      worker: 'select, insert, delete',
      console: 'select, insert',
    },
    audit_leaf: { rows: 'environment', ...sequencerAppends },
    audit_node: { rows: 'environment', ...sequencerAppends },
    audit_checkpoint: { rows: 'environment', ...sequencerAppends },
  },
});
