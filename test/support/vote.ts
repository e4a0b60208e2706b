import { castVote } from '#lib/actions/delegations/cast-vote.command.ts';
import type { Tenant } from '#lib/database/base.ts';
import { inTenant } from '#lib/database/orm.ts';
import { governWithin } from '#lib/governance/govern.ts';
import type { Backend } from './backends.ts';

/**
 * Casts the vote of an application for a draft, at a time that the test sets. Expects that the policies are
 * not evaluated.
 */
export function voteAt(
  backend: Pick<Backend, 'orm'>,
  place: Tenant,
  { uid, application, now }: { uid: string; application: string; now(): Date },
) {
  return inTenant(backend.orm('api'), place, (em) =>
    governWithin(
      em,
      castVote,
      {
        uid,
        carrier: { application, credential: null },
        awaited: 'draft',
        ask: () => () => Promise.reject(new Error('the policies were evaluated')),
      },
      { actor: { kind: 'application', uid: application }, place, clock: { now } },
    ),
  );
}
