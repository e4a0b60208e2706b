import type { Clock } from '#lib/core/clock.ts';
import type { Caller, Idempotency, Reply } from '#lib/core/operation.ts';
import { Problem, storedProblem, type StoredProblem } from '#lib/core/problem.ts';
import type { Em, Orm } from '#lib/database/base.ts';
import { inTenant } from '#lib/database/orm.ts';
import { statementLimitsMs } from '#lib/database/time-limits.ts';
import { claimKey, findKey, holdKey, type KeptKey } from '#lib/pipeline/idempotency.write.ts';
import { tenantOf } from './tenant.ts';

export type EffectCall = { caller: Caller; idempotency: Idempotency | undefined; signal: AbortSignal };

/** Registers work that runs after the commit of the effect, such as notifying a queue. */
export type Later = (work: () => Promise<void>) => void;

/** Returns a reply, or a refusal. Both are committed together with the rows that the work wrote. */
export type EffectWork<R> = (em: Em, later: Later) => Promise<R | Problem>;

export type Effects = ReturnType<typeof createEffects>;

/**
 * Runs a change in one transaction, which also stores the caller's idempotency key and the answer. A retry with the
 * same key gets the same answer and changes nothing. An exception rolls everything back, so a retry runs the change
 * again.
 */
export function createEffects({ orm, clock }: { orm: Orm; clock: Clock }) {
  return async function once<R extends Reply<number, unknown>>(
    call: EffectCall,
    work: EffectWork<R>,
  ): Promise<R> {
    const afterwards: (() => Promise<void>)[] = [];
    const inOne = async (em: Em) => {
      const known = call.idempotency && (await keptAnswer(em, call.caller.application, call.idempotency));
      if (known) return readAnswer<R>(known);
      const made = await work(em, (next) => afterwards.push(next));
      if (call.idempotency) {
        const effect = { answer: writeAnswer(made) };
        const claimed = await claimKey(em, call.caller.application, call.idempotency, effect, clock.now());
        if (!claimed) throw inProgress();
      }
      return made;
    };
    const outcome = await inTenant(orm, tenantOf(call.caller), inOne, {
      signal: call.signal,
      statementMs: statementLimitsMs.apiWrite,
    });
    for (const next of afterwards) await next();
    if (outcome instanceof Problem) throw outcome;
    return outcome;
  };
}

async function keptAnswer(
  em: Em,
  application: string,
  idempotency: Idempotency,
): Promise<KeptKey | undefined> {
  if (!(await holdKey(em, application, idempotency))) throw inProgress();
  const known = await findKey(em, application, idempotency);
  if (known) refuseReuse(known, idempotency);
  return known;
}

/**
 * Refuses a request whose idempotency key was used for a different request. Such a request is a mistake of
 * the caller and never a retry.
 */
export function refuseReuse(known: KeptKey, { fingerprint }: Idempotency): void {
  if (known.fingerprint !== fingerprint) {
    throw new Problem(
      'idempotency_key_reused',
      'The idempotency key was already used with a different request. Use a new key for a new request.',
    );
  }
}

function inProgress(): Problem {
  return new Problem(
    'idempotency_in_progress',
    'The first request with this idempotency key has not ended yet.',
    {
      headers: { 'Retry-After': '1' },
    },
  );
}

type KeptAnswer = { reply: Reply<number, unknown> } | { problem: StoredProblem };

function writeAnswer(made: Reply<number, unknown> | Problem): string {
  const kept: KeptAnswer = made instanceof Problem ? { problem: storedProblem(made) } : { reply: made };
  return JSON.stringify(kept);
}

const REPLAYED = { 'Idempotent-Replayed': 'true' };

function readAnswer<R extends Reply<number, unknown>>({ answer }: KeptKey): R | Problem {
  const kept = JSON.parse(answer!) as KeptAnswer;
  if ('reply' in kept)
    return { ...kept.reply, headers: { ...kept.reply.headers, ...REPLAYED } } as unknown as R;
  const { code, detail, members } = kept.problem;
  return new Problem(code, detail, { members, headers: REPLAYED });
}
