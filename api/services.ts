import type { TObject, Static, TSchema } from 'typebox';
import type { Clock } from '#lib/core/clock.ts';
import { conditionalsWith, filesWith, listsWith, operationsWith, type Caller } from '#lib/core/operation.ts';
import type { Scope } from '#lib/core/scope.ts';
import type { Em, Orm, TransactionOptions } from '#lib/database/base.ts';
import { inTenant } from '#lib/database/orm.ts';
import { readDeployment, type Deployment } from '#lib/infrastructure/deployment/deployment.query.ts';
import type { OwnTool, Tool } from './derive/tool.ts';
import { usingData, type RequestedUse } from './data-rights.ts';
import { createEffects } from './effects.ts';
import { createGoverning, type Governing, type Querying } from './govern.ts';
import { createCursors, type Cursors } from './http/cursor.ts';
import { type Runs } from './runs.ts';
import { tenantOf } from './tenant.ts';

/** The services of a handler. */
export type Services = {
  clock: Clock;
  /** The regions and service classes of the deployment file. */
  deployment: Deployment;
  /** The longest time that a question waits for a call to a provider, in milliseconds. */
  providerWaitMs: number;
  cursors: Cursors;
  runs: Runs;
  /** Carries out a governed change, once for each idempotency key, and returns the answer. */
  govern: Governing;
  /** Runs a query in its own transaction, for the caller's workspace and environment. */
  query: Querying;
  /**
   * Works like `query`, for statements that are index lookups. Their query plans are reused for all
   * arguments.
   */
  lookUp: Querying;
  /**
   * Returns the services of a request that uses data. The queries of these services see only the datasets that the
   * request may use.
   */
  using(use: RequestedUse): Services;
  /** The tools that agents may call. */
  tools: readonly Tool[];
  /** Aborted when the client has disconnected. */
  signal: AbortSignal;
};

export type SharedServices = Pick<Services, 'clock' | 'runs'> & {
  /** The deployment file. Default: the deployment without a file. */
  deployment?: Deployment;
  /** Default: 20 s. */
  providerWaitMs?: number;
  orm: Orm;
  cursorSecret: string;
  tools?: readonly Tool[];
};

export type RequestFacts = {
  caller: Caller;
  signal: AbortSignal;
  /** Whether the operation only reads. Its transactions are then read-only. */
  isReadOnly: boolean;
};

const PROVIDER_WAIT_MS = 20_000;
const usualDeployment = readDeployment(undefined);

export function servicesFor(
  shared: SharedServices,
  { caller, signal, isReadOnly }: RequestFacts,
  use?: RequestedUse,
): Services {
  const { workspace, environment, confirmation } = caller;
  const tenant = tenantOf(caller);
  const transaction = use
    ? usingData(shared.orm, tenant, { use, now: () => shared.clock.now() })
    : <T>(work: (em: Em) => Promise<T>, options: TransactionOptions) =>
        inTenant(shared.orm, tenant, work, options);
  const querying =
    (options: Pick<TransactionOptions, 'plansOnce'>): Querying =>
    (query, ...args) =>
      transaction((em) => query(em, ...args), { ...options, isReadOnly, signal, confirmation });
  return {
    signal,
    clock: shared.clock,
    deployment: shared.deployment ?? usualDeployment,
    providerWaitMs: shared.providerWaitMs ?? PROVIDER_WAIT_MS,
    runs: shared.runs,
    tools: shared.tools ?? [],
    govern: createGoverning(createEffects(shared), shared.clock),
    query: querying({}),
    lookUp: querying({ plansOnce: true }),
    using: (wanted) => servicesFor(shared, { caller, signal, isReadOnly }, wanted),
    cursors: createCursors([shared.cursorSecret, workspace, environment].join(' ')),
  };
}

export const defineOperation = operationsWith<Services>();

/** Works like `defineOperation`, for a list that is also available as CSV and JSON lines. */
export const defineList = listsWith<Services>();

/** Defines a download, whose format may differ from JSON. */
export const defineFile = filesWith<Services>();

/** Defines a read whose validator is known before its body. */
export const defineConditional = conditionalsWith<Services>();

/** Defines a tool that has no operation behind it. */
export function defineTool<Input extends TObject, Output extends TSchema>(
  tool: Omit<OwnTool, 'input' | 'output' | 'call' | 'scope'> & {
    scope: Scope;
    input: Input;
    output: Output;
    call(
      given: Static<Input>,
      context: { caller: Caller; services: Services },
    ): Promise<Static<NoInfer<Output>>>;
  },
): OwnTool {
  return tool as unknown as OwnTool;
}
