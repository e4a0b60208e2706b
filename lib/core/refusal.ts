/**
 * The refusal of a change or command by a rule, with a stable code like the API's problems. A refusal that is thrown
 * inside a transaction rolls back the whole transaction. A refusal on the command line ends the process with the exit
 * code `status`.
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
