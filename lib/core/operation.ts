import type { Static, TObject, TSchema } from 'typebox';
import type { ProblemCode, ProblemOptions } from './problem.ts';
import type { Product } from '#lib/products.ts';
import type { Scope } from './scope.ts';

export type Method = 'GET' | 'POST' | 'PUT';

/** The names between braces in a path template. */
export type PathParams<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParams<Rest>
  : never;

/** Who calls: one application in one workspace and one environment, with what holds right now. */
export type Caller = {
  readonly credential: string;
  readonly application: string;
  readonly workspace: string;
  readonly environment: 'sandbox' | 'production';
  readonly serviceClass: 'developer' | 'standard' | 'enterprise';
  /** What the credential, its application and the workspace's entitlement all have. */
  readonly scopes: ReadonlySet<string>;
  /** What the workspace is entitled to, whether the caller has it or not. */
  readonly entitlements: ReadonlySet<string>;
};

/** RFC 7240 preferences that Assay honours. */
export type Preferences = { readonly respondAsync: boolean; readonly waitMs: number | undefined };

/** The key that makes a retry harmless, and the hash of the request it was sent with. */
export type Idempotency = {
  readonly operation: string;
  /** SHA-256 of the key: what a caller makes up is nobody else's to read. */
  readonly key: string;
  readonly fingerprint: string;
  /** How long the answer is kept for a retry. */
  readonly keptHours: number;
};

export type Reply<Status extends number, Body> = {
  readonly status: Status;
  readonly body: Body;
  readonly headers?: Readonly<Record<string, string>>;
};

/** An answer in another form than JSON, whole, under a name to keep it by. */
export type FileReply = { readonly file: Uint8Array; readonly type: string; readonly name: string };

/** A row as every form of a list can have it. */
export type FlatRow = Readonly<Record<string, string | number | boolean | null>>;

/** A list that can be had as a page of JSON, or from its first row to its last as CSV or JSON lines. */
export type Listing<Body> = {
  /** Another one whenever the answer may be another: the state of the data, and what was asked of them. */
  readonly version: string;
  page(): Promise<{ readonly body: Body; readonly headers?: Readonly<Record<string, string>> }>;
  /** All rows in their order, some at a time, so that they never stand in memory together. */
  rows(): AsyncIterable<readonly FlatRow[]>;
};

/** Days, YYYY-MM-DD. After `sunset` the operation may be gone; `link` is a page for those who still call it. */
export type Deprecation = { readonly since: string; readonly sunset?: string; readonly link?: string };

type Declared<Path extends string, Query extends TObject, Code extends ProblemCode> = {
  /** The published operation key; camelCased it is the OpenAPI operationId. */
  readonly key: string;
  readonly product: Product;
  readonly method: Method;
  /** Below `/api/v2`, with parameters in braces. */
  readonly path: Path;
  /** None for an OAuth endpoint, which finds out itself who calls. */
  readonly scope: Scope | null;
  readonly summary: string;
  readonly description?: string;
  readonly query?: Query;
  /** Documented codes beyond those that every operation can answer. */
  readonly problems: readonly Code[];
  /** Media types that the handler may answer beside JSON, each with what it holds and how it may begin. */
  readonly files?: Readonly<Record<string, { description: string; example: string }>>;
  /** True for what is offered beside the published interface. */
  readonly addition?: boolean;
  readonly deprecated?: Deprecation;
  /** The name of the tool that agents call it by, where it is not made of the key. */
  readonly tool?: string;
  /** Speaks JSON-RPC 2.0: it stands below `/api`, has a door of its own, and only reads. */
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
  /** Aborted when the caller has gone. */
  readonly signal: AbortSignal;
  /** The digits of a number of the body as they were sent, by JSON pointer. */
  exact(pointer: string): string | undefined;
  /** The media type of these that the caller accepts best; the first where it does not say, undefined where none. */
  accepts(types: readonly string[]): string | undefined;
  /** Refuses with 412 when the caller sent `If-Match` and holds another representation than this one. */
  requireMatch(current: unknown): void;
  /** Refuses with one of the declared codes. */
  fail(code: Code, detail: string, options?: ProblemOptions): never;
};

export type Spec<
  Path extends string,
  Query extends TObject,
  Body extends TSchema,
  Success extends TSchema,
  Accepted extends TSchema,
  Code extends ProblemCode,
  Status extends number,
  Services,
> = Declared<Path, Query, Code> & {
  readonly body?: Body;
  /** The body may be left out, which is as if it were `{}`. */
  readonly bodyOptional?: boolean;
  readonly success: { readonly status: Status; readonly description: string; readonly schema: Success };
  /** Schema of the 202 answer, for operations that wait for a run. */
  readonly accepted?: Accepted;
  handle(
    call: CallOf<Path, Query, Static<Body>, NoInfer<Code>, Services>,
  ): Promise<Reply<NoInfer<Status>, Static<NoInfer<Success>>> | Reply<202, Static<NoInfer<Accepted>>>>;
};

/** A download: JSON, or a file of one of the declared media types. */
export type FileSpec<
  Path extends string,
  Query extends TObject,
  Success extends TSchema,
  Code extends ProblemCode,
  Services,
> = Declared<Path, Query, Code> & {
  readonly method: 'GET';
  readonly success: { readonly status: 200; readonly description: string; readonly schema: Success };
  handle(
    call: CallOf<Path, Query, undefined, NoInfer<Code>, Services>,
  ): Promise<Reply<200, Static<NoInfer<Success>>> | FileReply>;
};

/** A list that is offered as pages of JSON, as CSV and as JSON lines. Its rows are flat. */
export type ListSpec<
  Path extends string,
  Query extends TObject,
  Success extends TSchema,
  Code extends ProblemCode,
  Services,
> = Declared<Path, Query, Code> & {
  readonly method: 'GET';
  readonly success: { readonly status: 200; readonly description: string; readonly schema: Success };
  handle(
    call: CallOf<Path, Query, undefined, NoInfer<Code>, Services>,
  ): Promise<Listing<Static<NoInfer<Success>>>>;
};

/** An operation as the derived parts read it: data, and a handler whose types were checked where it was defined. */
export type Operation = Declared<string, TObject, ProblemCode> & {
  readonly body?: TSchema;
  readonly bodyOptional?: boolean;
  readonly success: { readonly status: number; readonly description: string; readonly schema: TSchema };
  readonly accepted?: TSchema;
  /**
   * An OAuth endpoint: clients prove who they are with id and secret, forms are taken beside JSON, and errors are
   * those of RFC 6749.
   */
  readonly oauth?: true;
  /** The handler answers a `Listing`. */
  readonly streamed?: true;
  // oxlint-disable-next-line no-explicit-any -- the catalog holds handlers of many types; `Spec` has checked each
  handle(call: any): Promise<Reply<number, unknown> | Listing<unknown> | FileReply>;
};

/** Makes `defineOperation` for the services that handlers are given. */
export function operationsWith<Services>() {
  return function defineOperation<
    const Path extends string = string,
    Query extends TObject = TObject<{}>,
    Body extends TSchema = never,
    Success extends TSchema = TSchema,
    Accepted extends TSchema = never,
    const Code extends ProblemCode = never,
    const Status extends number = number,
  >(spec: Spec<Path, Query, Body, Success, Accepted, Code, Status, Services>): Operation {
    return spec as unknown as Operation;
  };
}

/** Makes `defineList` for the services that handlers are given. */
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

/** Makes `defineFile` for the services that handlers are given. */
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
