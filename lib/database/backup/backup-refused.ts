import { Refusal } from '#lib/core/refusal.ts';

export type BackupRefusalCode =
  | 'file_exists'
  | 'file_unreadable'
  | 'backup_damaged'
  | 'backup_newer'
  | 'backup_older'
  | 'backup_foreign'
  | 'nothing_to_back_up'
  | 'not_empty'
  | 'in_use'
  | 'row_security';

/** Reports why a backup was not made or not restored, with a stable code for the operator. */
export class BackupRefused extends Refusal {
  declare readonly code: BackupRefusalCode;

  constructor(code: BackupRefusalCode, message: string, options?: ErrorOptions) {
    super(code, message);
    this.name = 'BackupRefused';
    if (options) this.cause = options.cause;
  }
}
