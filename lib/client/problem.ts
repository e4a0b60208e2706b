import type { Problem } from './schema.d.mts';

/** The code of a problem: a code of the API, or `http_<status>` for an answer that does not come from the API. */
export type ProblemCode = Problem['code'] | (string & {});

/** A problem that the API reported instead of a success. */
export class ApiProblem extends Error {
  readonly code: ProblemCode;
  readonly status: number;
  readonly detail: string;
  /** The faults of the request, each with a JSON pointer. */
  readonly errors: NonNullable<Problem['errors']>;
  /** The id of the request. Quote it in support requests. */
  readonly requestId: string | undefined;
  /** The whole body of the problem. Some codes have further members. */
  readonly body: Readonly<Record<string, unknown>>;
  /** The headers of the answer. Empty if the problem is the stored problem of a run. */
  readonly headers: Headers;

  constructor(problem: Partial<Problem> & { status: number }, headers: Headers = new Headers()) {
    const { code = `http_${problem.status}`, detail = 'The response is not a problem document of the API.' } =
      problem;
    super(`${code}: ${detail}`);
    this.name = 'ApiProblem';
    this.code = code;
    this.status = problem.status;
    this.detail = detail;
    this.errors = problem.errors ?? [];
    this.requestId = problem.request_id ?? headers.get('x-request-id') ?? undefined;
    this.body = problem;
    this.headers = headers;
  }
}

/**
 * Parses an answer that is not a success. A token endpoint uses the members `error` and `error_description` instead of
 * the members of a problem.
 */
export async function problemOf(response: Response): Promise<ApiProblem> {
  const { status, headers } = response;
  const body = parsed(await response.text());
  const { error, error_description } = body as { error?: string; error_description?: string };
  const said = error === undefined ? {} : { code: error, detail: error_description ?? error };
  return new ApiProblem({ ...body, ...said, status } as Partial<Problem> & { status: number }, headers);
}

/**
 * Returns the JSON object of a body. Returns an empty object if the body is not a JSON object, for example an answer of
 * a proxy.
 */
function parsed(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
  } catch {
    return {};
  }
}
