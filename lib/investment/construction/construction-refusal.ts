/**
 * A refusal of a construction. `detail` is the text for the caller, and `members` are documented members of
 * the problem.
 */
export type ConstructionRefusal = {
  code:
    | 'constraints_infeasible'
    | 'no_excess_return'
    | 'returns_required'
    | 'not_identifiable'
    | 'market_history_insufficient'
    | 'currencies_mixed'
    | 'validation_failed'
    | 'too_large';
  detail: string;
  members: Readonly<Record<string, unknown>>;
};

/** Thrown by the functions of a construction. `constructPortfolio` converts the error to an outcome. */
export class ConstructionRefused extends Error {
  readonly refusal: ConstructionRefusal;

  constructor(refusal: ConstructionRefusal) {
    super(`${refusal.code}: ${refusal.detail}`);
    this.name = 'ConstructionRefused';
    this.refusal = refusal;
  }
}

/** Returns the refusal with a code, as an error to throw. */
export function refused(
  code: ConstructionRefusal['code'],
  detail: string,
  members: Readonly<Record<string, unknown>> = {},
): ConstructionRefused {
  return new ConstructionRefused({ code, detail, members });
}

/**
 * Returns the refusal of a member that matches the schema but is not valid together with the rest of the
 * request.
 */
export function fault(pointer: string, code: string, message: string): ConstructionRefused {
  return refused('validation_failed', `The member ${pointer} ${message}.`, {
    errors: [{ pointer, in: 'body', code, message }],
  });
}
