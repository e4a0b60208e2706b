/** What an operator command refuses, with a stable code as the API has them. Ends the command with a status, 1 by default. */
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
