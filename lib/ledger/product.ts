import { defineProduct, operatorAppends, operatorImports } from '#lib/core/product.ts';

/** Transactions, balances and their snapshots. */
export const ledger = defineProduct({
  folder: 'ledger',
  serves: { 'Financial data': { paths: ['/financial'], about: 'Accounts, balances and transactions.' } },
  scopes: ['financial:read'],
  prefixes: {
    ledgerAccount: 'lac',
    ledgerImport: 'lim',
    ledgerTransaction: 'ltx',
    ledgerSnapshot: 'lsn',
  },
  tables: {
    ledger_account: { rows: 'environment', ...operatorAppends },
    ledger_import: { rows: 'environment', ...operatorAppends },
    ledger_transaction: { rows: 'environment', ...operatorImports },
    ledger_posting: { rows: 'environment', ...operatorAppends },
    /** Snapshots are sealed by workers on a schedule, or by operators on request. */
    ledger_snapshot: {
      rows: 'environment',
      operator: 'select, insert',
      api: 'select',
      worker: 'select, insert',
    },
  },
  events: {
    'financial:read': {
      'ledger.imported': { about: 'Transactions were imported into the ledger.', members: ['rows'] },
      'ledger.snapshot_sealed': {
        about: 'The ledger balances at the end of a day were sealed.',
        members: ['as_of'],
      },
    },
  },
});
