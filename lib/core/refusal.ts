/**
 * The refusal of a change or command by a rule, with a stable code like the API's problems. Thrown inside a
 * transaction, it rolls back all of it. On the command line it ends the process with `status`.
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
