import createFetch, {
  type ClientPathsWithMethod,
  type Client as FetchClient,
  type MaybeOptionalInit,
  type MethodResponse,
} from 'openapi-fetch';
import {
  API_PREFIX,
  type Api,
  type BodyOf,
  type ItemOf,
  type ListPath,
  type QueryOf,
  type RunPath,
} from './api.ts';
import { apiKey, type Credential } from './credential.ts';
import { clientCredentials } from './oauth.ts';
import { followMoves } from './moves.ts';
import { itemsOf } from './pages.ts';
import { defaultRetries, sendWithRetries, type Retries } from './retry.ts';
import { createRun, type Run } from './run.ts';
import { createSender } from './sender.ts';

export { ApiProblem } from './problem.ts';
export type { Api } from './api.ts';
export type { Run } from './run.ts';
export type * from './schema.d.mts';

export type ClientOptions = {
  /** The URL of Assay, such as `https://assay.example`. */
  baseUrl: string;
  retries?: Partial<Retries>;
} & ({ apiKey: string } | { clientId: string; clientSecret: string; scope?: string });

export type SubmitOptions = {
  signal?: AbortSignal;
  /** Idempotency key. A repeated submission with the same key returns the same run. Default: a new key. */
  idempotencyKey?: string;
};

/**
 * A client of Assay. `GET`, `POST` and `PUT` have the types of the OpenAPI document. The other methods of the client
 * call these three. Every refusal is thrown as an `ApiProblem`.
 */
export type Client = {
  GET: Call<'get'>;
  POST: Call<'post'>;
  PUT: Call<'put'>;
  /**
   * Submits a run without waiting for its end; `await run.sealed()` waits. If an earlier submission with the
   * same key started a run that ended without a result, throws the problem of that run at once.
   */
  submit<Path extends RunPath>(path: Path, ...sent: Submission<Path>): Promise<Run<Path>>;
  /** Iterates over every item of a list, over all pages. */
  pages<Path extends ListPath>(
    path: Path,
    query?: Omit<QueryOf<Api[Path]['get']>, 'cursor'>,
    options?: { signal?: AbortSignal },
  ): AsyncGenerator<ItemOf<Path>, void, undefined>;
};

type Calls = FetchClient<Api, 'application/json'>;

type Call<Method extends 'get' | 'post' | 'put'> = <Path extends ClientPathsWithMethod<Calls, Method>>(
  path: Path,
  ...init: undefined extends MaybeOptionalInit<Api[Path], Method>
    ? [init?: MaybeOptionalInit<Api[Path], Method>]
    : [init: MaybeOptionalInit<Api[Path], Method>]
) => Promise<{ data: MethodResponse<Calls, Method, Path>; response: Response }>;

type UntypedCall = (path: string, init: object) => Promise<{ data: never }>;

/** The arguments of a submission. An optional body may be omitted or undefined. */
type Submission<Path extends RunPath> =
  undefined extends BodyOf<Api[Path]['post']>
    ? [body?: BodyOf<Api[Path]['post']>, options?: SubmitOptions]
    : [body: BodyOf<Api[Path]['post']>, options?: SubmitOptions];

/** Creates a client of Assay for one application, by API key or by client credentials. */
export function createClient(options: ClientOptions): Client {
  const baseUrl = options.baseUrl.replace(/\/+$/, '');
  const retries = { ...defaultRetries, ...options.retries };
  const send = followMoves((request) => sendWithRetries(request, fetch, retries));
  const credential: Credential =
    'apiKey' in options ? apiKey(options.apiKey) : clientCredentials({ ...options, baseUrl, send });
  const calls = createFetch<Api, 'application/json'>({
    baseUrl: `${baseUrl}${API_PREFIX}`,
    fetch: createSender(credential, send),
    headers: { accept: 'application/json' },
  });
  // The compiler cannot resolve the types of one operation while the path is still a type parameter, so two casts state
  // the types. A returned response always has data, because refusals are thrown.
  const typed = calls as never as Pick<Client, 'GET' | 'POST' | 'PUT'>;
  const { GET: get, POST: post } = calls as never as Record<'GET' | 'POST', UntypedCall>;
  return {
    GET: typed.GET,
    POST: typed.POST,
    PUT: typed.PUT,
    async submit(path, ...[body, { signal, idempotencyKey } = {}]) {
      const headers = {
        prefer: 'respond-async',
        ...(idempotencyKey ? { 'idempotency-key': idempotencyKey } : {}),
      };
      const { data } = await post(path, { body, headers, signal });
      const { uid } = data as { uid: string };
      return createRun(data, async (wait, signal) => {
        const found = await get(`${path}/{uid}`, { params: { path: { uid }, query: { wait } }, signal });
        return found.data;
      });
    },
    pages(path, query, { signal } = {}) {
      return itemsOf(async (cursor) => {
        const { data } = await get(path, { params: { query: { ...query, cursor } }, signal });
        return data;
      });
    },
  };
}
