/**
 * A change or a command that a rule refuses, with a stable code as problems of the API have. Thrown inside a transaction,
 * it undoes all of it. On the command line it ends the process with `status`.
 */
export class Refusal extends Error {
  readonly code: string;
  readonly status: number;
  constructor(code: string, detail: string, status = 1) {
    super(detail);
    this.name = 'Refusal';
    this.code = code;
    this.status = status;
  }
}
