/** An error in one row: the location, the value in the file, and the reason. */
export type RowFault = { line: number; column: string | null; value: string | null; reason: string };

export type RefusalCode =
  | 'import_refused'
  | 'file_unreadable'
  | 'file_changed'
  | 'mapping_invalid'
  | 'invalid_dataset_name'
  | 'taxonomy_version_conflict';

type RefusedOptions = { errors?: readonly RowFault[]; errorsTotal?: number; cause?: unknown };

/** A refused import. Nothing was loaded. `errors` contains the first of `errorsTotal` errors, ordered by line. */
export class ImportRefused extends Error {
  readonly code: RefusalCode;
  readonly errors: readonly RowFault[];
  readonly errorsTotal: number;

  constructor(code: RefusalCode, detail: string, options: RefusedOptions = {}) {
    super(detail, { cause: options.cause });
    this.name = 'ImportRefused';
    this.code = code;
    this.errors = options.errors ?? [];
    this.errorsTotal = options.errorsTotal ?? this.errors.length;
  }
}
