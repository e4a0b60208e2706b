import { problems } from '#lib/products.ts';

/**
 * Every error that a caller can receive: its stable code, HTTP status and title. Each product declares its own errors.
 * An error is always sent with its declared status.
 */
export { problems };

export type ProblemCode = keyof typeof problems;

/** One fault of a request: its location (a JSON pointer into the named part), the violated rule, and the correction. */
export type Fault = {
  pointer: string;
  in: 'body' | 'query' | 'path' | 'header';
  code: string;
  message: string;
};

export type ProblemOptions = {
  errors?: readonly Fault[];
  /** Further documented members of the problem's body, such as `observed` and `needed`. */
  members?: Readonly<Record<string, unknown>>;
  headers?: Readonly<Record<string, string>>;
  cause?: unknown;
};

/** A refusal that the caller sees. `detail` is written for the caller and never contains internals. */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly detail: string;
  readonly errors: readonly Fault[];
  readonly members: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ProblemCode, detail: string, options: ProblemOptions = {}) {
    super(`${code}: ${detail}`, { cause: options.cause });
    this.name = 'Problem';
    this.code = code;
    this.detail = detail;
    this.errors = options.errors ?? [];
    this.members = options.members ?? {};
    this.headers = options.headers ?? {};
  }

  get status(): number {
    return problems[this.code].status;
  }
}

/** Returns the problem of a request with these faults. */
export function invalid(faults: readonly Fault[]): Problem {
  const count = faults.length === 1 ? 'One fault' : `${faults.length} faults`;
  return new Problem('validation_failed', `${count} in the request; see errors.`, { errors: faults });
}

/**
 * The stored problem of a failed run. Callers that read the run later get the same answer as callers that waited for
 * it.
 */
export type StoredProblem = { code: ProblemCode; detail: string; members: Readonly<Record<string, unknown>> };

export function storedProblem(problem: Problem): StoredProblem {
  return { code: problem.code, detail: problem.detail, members: problem.members };
}

/** Returns the RFC 9457 body of a problem. */
export function problemBody(
  problem: Pick<Problem, 'code' | 'detail' | 'members'> & { errors?: readonly Fault[] },
  requestId?: string,
): Record<string, unknown> {
  const { status, title } = problems[problem.code];
  return {
    ...problem.members,
    type: `/problems/${problem.code}`,
    title,
    status,
    detail: problem.detail,
    code: problem.code,
    ...(requestId === undefined ? {} : { request_id: requestId }),
    ...(problem.errors?.length ? { errors: problem.errors } : {}),
  };
}
