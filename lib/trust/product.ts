import { defineProduct } from '#lib/core/product.ts';

/** Evidence packs, and the keys that sign them. */
export const trust = defineProduct({
  folder: 'trust',
  serves: { Trust: { paths: ['/trust'], about: 'Evidence: the append-only log, checkpoints and packs.' } },
  uses: ['events'],
  scopes: ['trust:write'],
  prefixes: {
    evidencePack: 'epk',
  },
  problems: {
    log_integrity_failure: { status: 500, title: 'The audit log is not what it was' },
    signing_unavailable: { status: 503, title: 'No key can sign' },
  },
  tables: {
    /** Operators make keys and retire them, workers sign with them; the API shows their public halves. */
    signing_key: {
      rows: 'nobody',
      operator: 'select, insert, update (private_sealed, retired_at)',
      api: 'select (keyid, public_x, valid_from, retired_at)',
      worker: 'select',
    },
    evidence_pack: { rows: 'environment', operator: 'select', api: 'select', worker: 'select, insert' },
  },
});
