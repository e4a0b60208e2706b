import type { Clock } from '#lib/core/clock.ts';
import type { Reply } from '#lib/core/operation.ts';
import { Problem } from '#lib/core/problem.ts';
import type { Query } from '#lib/database/base.ts';
import type { Denied, Done, InputOf, TenantCommand } from '#lib/governance/command.ts';
import { governWithin } from '#lib/governance/govern.ts';
import type { EffectCall, Effects } from './effects.ts';
import { tenantOf } from './tenant.ts';

/** Runs a query with its arguments. */
export type Querying = <A extends readonly unknown[], T>(query: Query<A, T>, ...args: A) => Promise<T>;

export type GoverningCall = EffectCall & { requestId: string };

/** The functions that turn the outcome of a command into an answer. */
export type Answers<C extends TenantCommand, R> = {
  /** Presents a change that was allowed. `query` reads in the transaction of the change. */
  present(done: Done<C>, query: Querying): R | Promise<R>;
  /**
   * Returns the problem for a refusal. If the refusal wrote audit entries, the problem is stored with them in
   * the transaction. Otherwise the problem is thrown.
   */
  refuse(refused: Denied<C>): Problem;
  /** Runs after the commit of the change, for example to dispatch runs to their queues. */
  afterwards?(done: Done<C>): Promise<void>;
};

export type Governing = ReturnType<typeof createGoverning>;

/**
 * Returns a function that carries out a command as the calling application, in one transaction with the
 * idempotency key and the answer.
 */
export function createGoverning(once: Effects, clock: Clock) {
  return function governCall<C extends TenantCommand, R extends Reply<number, unknown>>(
    call: GoverningCall,
    command: C,
    input: InputOf<C>,
    { present, refuse, afterwards }: Answers<C, R>,
  ): Promise<R> {
    const { caller, requestId } = call;
    const actor = {
      kind: 'application' as const,
      uid: caller.application,
      credential: caller.credential,
    };
    return once<R>(call, async (em, later) => {
      const outcome = await governWithin(em, command, input, {
        actor,
        place: tenantOf(caller),
        requestId,
        clock,
      });
      if (outcome.ok) {
        const done = outcome as Done<C>;
        if (afterwards) later(() => afterwards(done));
        return present(done, (query, ...args) => query(em, ...args));
      }
      const refused = outcome as Denied<C>;
      const problem = refuse(refused);
      if (refused.isRecorded) return problem;
      throw problem;
    });
  };
}
