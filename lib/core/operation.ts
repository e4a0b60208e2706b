import type { Static, TObject, TSchema } from 'typebox';
import type { ProblemCode, ProblemOptions } from './problem.ts';
import type { Confirmation } from './confirmation.ts';
import type { Product } from '#lib/products.ts';
import type { Scope } from './scope.ts';

export type Method = 'GET' | 'POST' | 'PUT';

/** The names between braces in a path template. */
export type PathParams<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParams<Rest>
  : never;

/** The caller: one application in one workspace and one environment, with its current rights. */
export type Caller = {
  readonly credential: string;
  readonly application: string;
  readonly workspace: string;
  readonly environment: 'sandbox' | 'production';
  readonly serviceClass: 'developer' | 'standard' | 'enterprise';
  /** The scopes that the credential, its application and the workspace's entitlement all include. */
  readonly scopes: ReadonlySet<string>;
  /** The scopes that the workspace is entitled to, whether or not the caller has them. */
  readonly entitlements: ReadonlySet<string>;
  /** Set if the first transaction of the request confirms the caller, who was admitted a short time ago. */
  readonly confirmation?: Confirmation;
};

/** RFC 7240 preferences that Assay honours. */
export type Preferences = { readonly respondAsync: boolean; readonly waitMs: number | undefined };

/** The idempotency key and the hash of a request. The key makes a retry safe. */
export type Idempotency = {
  readonly operation: string;
  /** SHA-256 of the idempotency key, because the caller's text may contain anything. */
  readonly key: string;
  readonly fingerprint: string;
  /** Hours for which the answer is kept for a retry. */
  readonly keptHours: number;
};

export type Reply<Status extends number, Body> = {
  readonly status: Status;
  readonly body: Body;
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * SHA-256 of everything that determines the body of a read. The ETag is derived from this hash. Default:
   * the hash of the body.
   */
  readonly validator?: string;
};

/**
 * The answer to a read if the caller already has the representation with this validator: 304 without a body.
 */
export type Unchanged = { readonly unchanged: string };

/** A complete answer in a format other than JSON, with its file name. */
export type FileReply = { readonly file: Uint8Array; readonly type: string; readonly name: string };

type FlatValue = string | number | boolean | null;

/**
 * A row that every format of a list can contain. A member that is a short list of objects stays a list in
 * JSON and becomes numbered columns in CSV.
 */
export type FlatRow = Readonly<Record<string, FlatValue | readonly Readonly<Record<string, FlatValue>>[]>>;

/** A list that is available as a page of JSON, or complete as CSV or JSON lines. */
export type Listing<Body> = {
  /**
   * The version of the list. The version changes whenever the answer may change because of other data or another query.
   */
  readonly version: string;
  page(): Promise<{ readonly body: Body; readonly headers?: Readonly<Record<string, string>> }>;
  /** Yields all rows in order, in batches, so that they are never all in memory. */
  rows(): AsyncIterable<readonly FlatRow[]>;
};

/**
 * The deprecation of an operation. Days are YYYY-MM-DD. After `sunset` the operation may be unavailable. `link` is the
 * URL of a page for callers that still use the operation.
 */
export type Deprecation = { readonly since: string; readonly sunset?: string; readonly link?: string };

type Declared<Path extends string, Query extends TObject, Code extends ProblemCode> = {
  /** The published key of the operation. In camel case it is the OpenAPI operationId. */
  readonly key: string;
  readonly product: Product;
  readonly method: Method;
  /** The path below `/api/v2`, with parameters in braces. */
  readonly path: Path;
  /** The required scope; null for an OAuth endpoint, which authenticates its caller itself. */
  readonly scope: Scope | null;
  readonly summary: string;
  readonly description?: string;
  readonly query?: Query;
  /** The documented problem codes of the operation, without the codes that every operation can return. */
  readonly problems: readonly Code[];
  /**
   * Media types that the handler may return besides JSON, each with a description and an example of its
   * beginning.
   */
  readonly files?: Readonly<Record<string, { description: string; example: string }>>;
  /** Whether the operation is offered in addition to the published interface. */
  readonly addition?: boolean;
  readonly deprecated?: Deprecation;
  /** The tool name for agents, if it is not derived from the key. */
  readonly tool?: string;
  /** Whether the operation uses JSON-RPC 2.0. Such an operation is below `/api`, has its own router, and only reads. */
  readonly rpc?: true;
};

type CallOf<Path extends string, Query extends TObject, Body, Code extends ProblemCode, Services> = {
  readonly params: Readonly<Record<PathParams<Path>, string>>;
  readonly query: Static<Query>;
  readonly body: Body;
  readonly caller: Caller;
  readonly prefer: Preferences;
  readonly idempotency: Idempotency | undefined;
  readonly services: Services;
  readonly requestId: string;
  /** A signal that is aborted when the client has disconnected. */
  readonly signal: AbortSignal;
  /** Returns the digits of a number in the body as they were sent, by JSON pointer. */
  exact(pointer: string): string | undefined;
  /**
   * Returns which of these media types the caller prefers. Returns the first type if the caller states no preference,
   * and undefined if the caller accepts none of them.
   */
  accepts(types: readonly string[]): string | undefined;
  /**
   * The validators that the caller sent in `If-None-Match`, without quotes. Each is the beginning of a
   * SHA-256.
   */
  readonly held: readonly string[];
  /**
   * Refuses the request with 412 if the `If-Match` of the caller does not match the resource in the state
   * `current`.
   */
  requireMatch(current: unknown): void;
  /** Refuses the request with one of the declared codes. */
  fail(code: Code, detail: string, options?: ProblemOptions): never;
};

/** Bodies that an operation takes instead of `body`, by the value of their member `kind`. */
export type BodiesByKind = Readonly<Record<string, TSchema>>;

export type Spec<
  Path extends string,
  Query extends TObject,
  Body extends TSchema,
  Success extends TSchema,
  Accepted extends TSchema,
  Code extends ProblemCode,
  Status extends number,
  Repeated extends string,
  Services,
> = Declared<Path, Query, Code> & {
  readonly body?: Body;
  /** Whether the body may be omitted. An omitted body is treated as `{}`. */
  readonly bodyOptional?: boolean;
  readonly bodiesByKind?: BodiesByKind;
  readonly success: { readonly status: Status; readonly description: string; readonly schema: Success };
  /** The schema of the 202 answer, for operations that wait for a run. */
  readonly accepted?: Accepted;
  /** The description of the 200 answer, for an operation that returns the existing record if a creation is repeated. */
  readonly repeated?: Repeated;
  handle(
    call: CallOf<Path, Query, Static<Body>, NoInfer<Code>, Services>,
  ): Promise<
    | Reply<NoInfer<Status>, Static<NoInfer<Success>>>
    | ([Repeated] extends [never] ? never : Reply<200, Static<NoInfer<Success>>>)
    | Reply<202, Static<NoInfer<Accepted>>>
  >;
};

/** A read that returns more than a body. */
type ReadSpec<
  Path extends string,
  Query extends TObject,
  Success extends TSchema,
  Code extends ProblemCode,
  Services,
  Answer,
> = Declared<Path, Query, Code> & {
  readonly method: 'GET';
  readonly success: { readonly status: 200; readonly description: string; readonly schema: Success };
  handle(call: CallOf<Path, Query, undefined, NoInfer<Code>, Services>): Promise<Answer>;
};

/** A download: JSON, or a file of one of the declared media types. */
export type FileSpec<
  Path extends string,
  Query extends TObject,
  Success extends TSchema,
  Code extends ProblemCode,
  Services,
> = ReadSpec<Path, Query, Success, Code, Services, Reply<200, Static<NoInfer<Success>>> | FileReply>;

/**
 * A read whose validator is known before its body is computed. If the caller already has the body, it is not
 * computed again.
 */
export type ConditionalSpec<
  Path extends string,
  Query extends TObject,
  Success extends TSchema,
  Code extends ProblemCode,
  Services,
> = ReadSpec<Path, Query, Success, Code, Services, Reply<200, Static<NoInfer<Success>>> | Unchanged>;

/** A list that is available as pages of JSON, as CSV and as JSON lines. Its rows are flat. */
export type ListSpec<
  Path extends string,
  Query extends TObject,
  Success extends TSchema,
  Code extends ProblemCode,
  Services,
> = ReadSpec<Path, Query, Success, Code, Services, Listing<Static<NoInfer<Success>>>>;

/**
 * An operation, as the router and the OpenAPI document read it. `defineOperation` has checked the types of the handler,
 * so this type leaves them out.
 */
export type Operation = Declared<string, TObject, ProblemCode> & {
  readonly body?: TSchema;
  readonly bodyOptional?: boolean;
  readonly bodiesByKind?: BodiesByKind;
  readonly success: { readonly status: number; readonly description: string; readonly schema: TSchema };
  readonly accepted?: TSchema;
  readonly repeated?: string;
  /**
   * Whether this is an OAuth endpoint: clients authenticate with id and secret, forms are accepted besides
   * JSON, and errors follow RFC 6749.
   */
  readonly oauth?: true;
  /** Whether the handler returns a `Listing`. */
  readonly streamed?: true;
  // oxlint-disable-next-line no-explicit-any -- the catalog holds handlers of many types; `Spec` checks each
  handle(call: any): Promise<Reply<number, unknown> | Listing<unknown> | FileReply | Unchanged>;
};

/** Returns `defineOperation`, typed for the services of the handlers. */
export function operationsWith<Services>() {
  return function defineOperation<
    const Path extends string = string,
    Query extends TObject = TObject<{}>,
    Body extends TSchema = never,
    Success extends TSchema = TSchema,
    Accepted extends TSchema = never,
    const Code extends ProblemCode = never,
    const Status extends number = number,
    Repeated extends string = never,
  >(spec: Spec<Path, Query, Body, Success, Accepted, Code, Status, Repeated, Services>): Operation {
    return spec as unknown as Operation;
  };
}

/** Returns `defineList`, typed for the services of the handlers. */
export function listsWith<Services>() {
  return function defineList<
    const Path extends string = string,
    Query extends TObject = TObject<{}>,
    Success extends TSchema = TSchema,
    const Code extends ProblemCode = never,
  >(spec: ListSpec<Path, Query, Success, Code, Services>): Operation {
    return { ...spec, streamed: true };
  };
}

/** Returns `defineFile`, typed for the services of the handlers. */
export function filesWith<Services>() {
  return function defineFile<
    const Path extends string = string,
    Query extends TObject = TObject<{}>,
    Success extends TSchema = TSchema,
    const Code extends ProblemCode = never,
  >(spec: FileSpec<Path, Query, Success, Code, Services>): Operation {
    return spec as unknown as Operation;
  };
}

/** Returns `defineConditional`, typed for the services of the handlers. */
export function conditionalsWith<Services>() {
  return function defineConditional<
    const Path extends string = string,
    Query extends TObject = TObject<{}>,
    Success extends TSchema = TSchema,
    const Code extends ProblemCode = never,
  >(spec: ConditionalSpec<Path, Query, Success, Code, Services>): Operation {
    return spec as unknown as Operation;
  };
}
