import { Refusal } from '#lib/core/refusal.ts';

export type CellRefusalCode =
  | 'export_damaged'
  | 'export_foreign'
  | 'export_secret_wrong'
  | 'schema_differs'
  | 'workspace_unknown'
  | 'workspace_exists'
  | 'id_taken'
  | 'numbers_refused'
  | 'shared_row_missing'
  | 'signing_key_untrusted'
  | 'row_security'
  | 'replication_role'
  | 'references_missing'
  | 'references_foreign'
  | 'log_differs'
  | 'seal_differs'
  | 'transactions_open'
  | 'move_running'
  | 'move_undecided'
  | 'not_moved'
  | 'copy_needed'
  | 'copy_in_use';

/** Reports why a workspace was not exported, imported or moved, with a stable code for the operator. */
export class CellRefused extends Refusal {
  declare readonly code: CellRefusalCode;

  constructor(code: CellRefusalCode, message: string, options?: ErrorOptions) {
    super(code, message);
    this.name = 'CellRefused';
    if (options) this.cause = options.cause;
  }
}

/** The advice to an operator whose role does not see every row of a cell. */
export const WHOLE_ROLE = 'set DATABASE_DIRECT_URL to the URL of a superuser or of a role with BYPASSRLS';
