import type { Context, Middleware } from 'koa';
import type { Caller, Operation } from '#lib/core/operation.ts';
import { Problem } from '#lib/core/problem.ts';
import { sha256 } from '#lib/core/seal.ts';
import type { Rest } from '#lib/core/at-rest.ts';
import type { Environment, ServiceClass } from '#lib/database/base.ts';
import {
  ratesOf,
  type OperationClass,
  type Quotas,
  type RateDecision,
  type Rates,
} from '#lib/limits/policy.ts';
import { isAccessToken } from '#lib/access/access-token.ts';
import { parseApiKey } from '#lib/access/api-key.ts';
import { presentedToken } from './bearer.ts';
import {
  confirmationOf,
  discardAnswer,
  isCallerChanged,
  type Admitted,
  type Presented,
} from './confirmation.ts';
import { refuseMoved } from './moved.ts';
import { checkRates } from './rate-headers.ts';

export type AccessOptions = {
  /** Runs one query on the database, outside any transaction, until the signal is aborted. */
  ask(text: string, values: readonly unknown[], signal: AbortSignal | undefined): Promise<unknown[]>;
  quotas: Quotas;
  /** Counts requests. */
  rates: Rates;
  /** Called for each credential that was accepted. */
  onUse(caller: Caller, ctx: Context): void;
};

/** The row that `admit_caller` returns. */
type Admission = {
  refusal: Refusal | null;
  credential_uid: string;
  application_uid: string;
  workspace_uid: string;
  environment: Environment;
  status: string;
  service_class: ServiceClass;
  /** Words separated by spaces, because a driver parses such a text faster than an array. */
  scopes: string;
  /** The scopes granted to a token; null for a key. */
  granted: string | null;
  entitlements: string;
  /** The state of a workspace that does not belong to this cell any more, and the address of its new cell. */
  move_state: Rest['state'] | null;
  moved_to: string | null;
  /** The versions of the rows that decided, for an operation that only reads. */
  versions?: string | null;
};

type Refusal =
  | 'invalid_token'
  | 'application_inactive'
  | 'production_access_disabled'
  | 'entitlement_missing'
  | 'insufficient_scope';

/**
 * Returns the middleware that admits the callers of an operation. `read` is the rest of the middleware of an operation
 * that only reads, and may run twice.
 */
export type Access = (operation: Operation, read?: Middleware) => Middleware;

/** The largest number of callers of reads that a process remembers. */
const ADMITTED_MAX = 1_000;

/**
 * Identifies the caller, checks its status, and counts the request against its quotas. The record of the
 * credential is read on every request, so that a revocation takes effect on the next request. A caller's
 * scopes are the intersection of the scopes of the token or key, of its application and of the workspace's
 * entitlement.
 *
 * A read begins with the caller that the process admitted last for the same credential. Before its first transaction
 * reads anything else, it compares the versions of the credential's record and of the other rows that decided about the
 * caller. If one has changed, the transaction fails, and the caller is admitted again. This saves a round trip to the
 * database.
 */
export function createAccess({ ask, quotas, rates, onUse }: AccessOptions): Access {
  const admitted = new Map<string, Admitted>();

  async function admissionOf(ctx: Context, presented: Presented, text: string): Promise<Admission> {
    const [found] = await ask(text, presented, ctx.state['signal'] as AbortSignal | undefined);
    return found as Admission;
  }

  function count(caller: Caller, kind: OperationClass): Promise<RateDecision> {
    return rates.take(caller.workspace, ratesOf(quotas[caller.serviceClass], kind, caller));
  }

  /**
   * Answers a read for the caller that is expected. Returns false, without an answer, if the caller must be admitted
   * again.
   */
  async function answerExpected(
    ctx: Context,
    presented: Presented,
    { expected, read }: { expected: Admitted; read: Middleware },
  ): Promise<boolean> {
    const decision = await count(expected.caller, 'read');
    if (!decision.allowed) return false;
    const confirmation = confirmationOf(presented, expected);
    const kept = ctx.res.getHeaderNames();
    ctx.state['caller'] = { ...expected.caller, confirmation };
    checkRates(ctx, decision);
    const failure = await failureOf(() => read(ctx, nothingFurther));
    const isGone = failure && (ctx.state['signal'] as AbortSignal | undefined)?.aborted;
    if (!confirmation.isConfirmed() && !isGone) {
      const isChanged =
        (failure && isCallerChanged(failure.error)) ||
        (await admissionOf(ctx, presented, ADMIT_READ)).versions !== expected.versions;
      if (isChanged) {
        discardAnswer(ctx, kept);
        return false;
      }
    }
    onUse(expected.caller, ctx);
    if (failure) throw failure.error;
    return true;
  }

  return (operation, read) => {
    const kind = classOf(operation);
    const scope = operation.scope!;
    return async (ctx, next) => {
      const presented: Presented = [...readToken(presentedToken(ctx)), scope];
      const key = presented.join(' ');
      const expected = admitted.get(key);
      // A read that waits for the end of a run would wait before its first transaction.
      if (expected && read && ctx.query['wait'] === undefined) {
        // The callers are kept in the order of their last use.
        admitted.delete(key);
        admitted.set(key, expected);
        if (await answerExpected(ctx, presented, { expected, read })) return;
        if (admitted.get(key) === expected) admitted.delete(key);
      }
      const admission = await admissionOf(ctx, presented, read ? ADMIT_READ : ADMIT);
      if (admission.move_state !== null && admission.refusal !== 'invalid_token')
        refuseMoved(ctx, { state: admission.move_state, address: admission.moved_to! });
      if (admission.refusal) throw refusalOf(admission, scope);
      const caller = callerOf(admission);
      ctx.state['caller'] = caller;
      checkRates(ctx, await count(caller, kind));
      onUse(caller, ctx);
      if (admission.versions) {
        admitted.set(key, { caller, versions: admission.versions });
        if (admitted.size > ADMITTED_MAX) admitted.delete(admitted.keys().next().value!);
      }
      await next();
    };
  };
}

const nothingFurther = async () => {};

/** Returns the error that work throws, or undefined if it succeeds. */
async function failureOf(work: () => Promise<unknown>): Promise<{ error: unknown } | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    return { error };
  }
}

function callerOf(admission: Admission): Caller {
  return {
    credential: admission.credential_uid,
    application: admission.application_uid,
    workspace: admission.workspace_uid,
    environment: admission.environment,
    serviceClass: admission.service_class,
    ...scopesOf(admission),
  };
}

const SCOPES_KNOWN_MAX = 1_000;
const scopesKnown = new Map<string, Pick<Caller, 'scopes' | 'entitlements'>>();

type Words = Pick<Admission, 'scopes' | 'granted' | 'entitlements'>;

/**
 * Returns the scopes that the application holds and the workspace is entitled to; for a token, only those that were
 * also granted. Results are cached by the text of the three lists.
 */
function scopesOf({ scopes, granted, entitlements }: Words): Pick<Caller, 'scopes' | 'entitlements'> {
  const words = [scopes, granted ?? '*', entitlements].join('\n');
  const known = scopesKnown.get(words);
  if (known) return known;
  if (scopesKnown.size >= SCOPES_KNOWN_MAX) scopesKnown.clear();
  const entitled = new Set(entitlements.split(' '));
  const limits = [entitled, ...(granted === null ? [] : [new Set(granted.split(' '))])];
  const common = scopes.split(' ').filter((scope) => limits.every((limit) => limit.has(scope)));
  const read = { scopes: new Set(common), entitlements: entitled };
  scopesKnown.set(words, read);
  return read;
}

/** Returns the quota class of an operation. */
function classOf({ method, accepted, rpc }: Operation): OperationClass {
  if (method === 'GET' || rpc) return 'read';
  return accepted ? 'compute' : 'write';
}

const COLUMNS = `
  refusal, credential_uid, application_uid, workspace_uid, environment, status, service_class, scopes, granted,
    entitlements, move_state, moved_to`;

const ADMIT = `select ${COLUMNS} from admit_caller($1, $2, $3, $4, $5)`;
/** Works like `ADMIT`, and also returns the versions of the rows that decided. */
const ADMIT_READ = `
  select ${COLUMNS}, caller_versions($1, $2, $3) as versions from admit_caller($1, $2, $3, $4, $5)`;

/**
 * Parses a credential into its kind, its lookup id, its hash and its environment. A malformed credential is
 * refused without a lookup in the database.
 */
function readToken(token: string): [kind: string, id: string, hash: string, environment: string | null] {
  const hash = sha256(token);
  const key = parseApiKey(token);
  if (key) return ['api_key', key.keyId, hash, key.environment];
  if (isAccessToken(token)) return ['access_token', hash, hash, null];
  throw invalidToken();
}

function refusalOf({ refusal, status, environment }: Admission, scope: string): Problem {
  switch (refusal!) {
    case 'invalid_token':
      return invalidToken();
    case 'application_inactive':
      return new Problem('application_inactive', `The application is ${status}.`);
    case 'production_access_disabled':
      return new Problem(
        'production_access_disabled',
        `The application has no access to ${environment}. Two people must approve the access.`,
      );
    case 'entitlement_missing':
      return entitlementMissing(scope);
    case 'insufficient_scope':
      return insufficientScope(scope);
  }
}

/** Returns the problem for a credential that lacks a scope. */
export function insufficientScope(scope: string): Problem {
  return new Problem('insufficient_scope', `This operation needs the scope ${scope}.`, {
    members: { required_scope: scope },
    headers: { 'WWW-Authenticate': `Bearer realm="assay", error="insufficient_scope", scope="${scope}"` },
  });
}

/**
 * Returns the problem for a scope that the workspace is not entitled to, regardless of the caller's own
 * scopes.
 */
export function entitlementMissing(scope: string): Problem {
  return new Problem('entitlement_missing', `The workspace is not entitled to ${scope}.`);
}

function invalidToken(): Problem {
  const detail = 'The credential is malformed, unknown, expired or revoked.';
  return new Problem('invalid_token', detail, {
    headers: { 'WWW-Authenticate': 'Bearer realm="assay", error="invalid_token"' },
  });
}
