import { defineProduct } from '#lib/core/product.ts';

/** Evidence packs, and the keys that sign them. */
export const trust = defineProduct({
  folder: 'trust',
  serves: {
    Trust: {
      paths: ['/trust'],
      about: 'Evidence of activity: the append-only audit log, its checkpoints and signed packs.',
    },
  },
  uses: ['events'],
  scopes: ['trust:write'],
  prefixes: {
    evidencePack: 'epk',
  },
  problems: {
    log_integrity_failure: { status: 500, title: 'The audit log failed its integrity check' },
    signing_unavailable: { status: 503, title: 'No signing key is available' },
  },
  asked: {
    evidence_pack: {
      title: 'evidence pack',
      domain: 'trust',
      names: ['evidence pack', 'evidence packs', 'pack', 'packs', 'signed pack', 'signed packs'],
      table: 'evidence_pack',
      rows: 'environment',
      uid: 'run_uid',
      label: 'run_uid',
      fields: {
        sequence: { column: 'sequence', reads: 'count', names: ['sequence', 'sequence number'] },
        entries: { column: 'tree_size', reads: 'count', names: ['audit entries', 'log entries', 'entries'] },
        period_to: {
          column: 'period_to',
          reads: 'day',
          names: ['end of the period', 'sealed up to', 'reach to'],
        },
        pack_hash: { column: 'pack_hash', reads: 'text', names: ['pack hash', 'hash of the pack'] },
      },
      day: 'period_to',
    },
  },
  tables: {
    /** Operators create and retire keys, and workers sign with them. The API reads only the public halves. */
    signing_key: {
      rows: 'nobody',
      operator: 'select, insert, update (private_sealed, retired_at)',
      api: 'select (keyid, public_x, valid_from, retired_at, workspace_uids)',
      console: 'select (keyid, public_x, valid_from, retired_at, workspace_uids)',
      worker: 'select',
    },
    evidence_pack: { rows: 'environment', operator: 'select', api: 'select', worker: 'select, insert' },
  },
});
