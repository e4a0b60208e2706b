/** What an operator command refuses, with a stable code as the API has them. Ends the command with status 1. */
export class Refusal extends Error {
  readonly code: string;
  constructor(code: string, detail: string) {
    super(detail);
    this.name = 'Refusal';
    this.code = code;
  }
}
