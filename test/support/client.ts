import {
  createClient,
  type Client as ApiClient,
  type Job,
  type SealedThemeFactorsRun,
  type ThemeFactorsRequest,
} from '#lib/client/client.ts';
import type { Backend } from './backends.ts';
import { PATIENCE_MS } from './patience.ts';

export type Answer = { status: number; headers: Headers; body: any };

export type Client = {
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  put(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>;
};

/**
 * The time limit of a request in milliseconds: the longest wait that a caller can request, plus
 * `PATIENCE_MS`.
 */
const ANSWER_MS = 60_000 + PATIENCE_MS;

/**
 * Returns a raw HTTP client with this key, for tests of statuses and headers. Paths are below `/api/v2`; a
 * string is sent unchanged.
 */
export function clientOf(backend: Pick<Backend, 'url'>, key?: string): Client {
  const send = async (method: string, path: string, body: unknown, headers: Record<string, string>) => {
    const response = await fetch(`${backend.url}/api/v2${path}`, {
      method,
      // The cluster module of Node can pass a connection to a process that was just killed. Such a connection
      // never gets an answer, so each request has a time limit.
      signal: AbortSignal.timeout(ANSWER_MS),
      headers: {
        accept: 'application/json',
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = /[/+]json/.test(response.headers.get('content-type') ?? '');
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? undefined : isJson ? JSON.parse(text) : text,
    };
  };
  return {
    get: (path, headers = {}) => send('GET', path, undefined, headers),
    post: (path, body, headers = {}) => send('POST', path, body, headers),
    put: (path, body, headers = {}) => send('PUT', path, body, headers),
  };
}

const FACTORS = '/investment/theme-watch/factors';
const JOB = '/quant/compute/jobs/{uid}';

/** A user of the API, with the client that callers use. Problems are thrown. */
export type User = ApiClient & {
  /** Submits a theme factor run and waits for its end. */
  sealedFactors(body?: ThemeFactorsRequest): Promise<SealedThemeFactorsRun>;
  job(uid: string): Promise<Job>;
  cancel(uid: string): Promise<Job>;
};

export function userOf(backend: Pick<Backend, 'url'>, key: string): User {
  const client = createClient({ baseUrl: backend.url, apiKey: key });
  const at = (uid: string) => ({ params: { path: { uid } } });
  return {
    ...client,
    sealedFactors: async (body) => (await client.submit(FACTORS, body)).sealed(),
    job: async (uid) => (await client.GET(JOB, at(uid))).data,
    cancel: async (uid) => (await client.POST(`${JOB}/cancel`, at(uid))).data,
  };
}
