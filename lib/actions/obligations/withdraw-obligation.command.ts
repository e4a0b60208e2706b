import { LockMode } from '@mikro-orm/core';
import { defineCommand } from '#lib/governance/command.ts';
import { decideWithdrawal } from './obligation.ts';
import { Obligation } from './obligation.entity.ts';
import { placeOfRecord } from '#lib/governance/place-of-record.query.ts';

type Input = { uid: string; reason: string };

/** Withdraws an obligation that is registered or disputed. A withdrawal is final. */
export const withdrawObligation = defineCommand<Input>()({
  find: (em, { uid }) => placeOfRecord(em, Obligation, uid),
  unknown: 'obligation_unknown',
  lock: (em, { uid }) =>
    em.findOneOrFail(Obligation, { uid }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true }),
  facts: async (_em, obligation) => ({ obligation, from: obligation.governanceState }),
  decide: ({ from }) => decideWithdrawal(from),
  async write(_em, { obligation }, { next }) {
    obligation.governanceState = next;
    return { result: obligation };
  },
  entry: ({ from }, verdict, { uid, reason }) =>
    verdict.ok
      ? { op: 'obligation.withdrawn', subject: { type: 'obligation', uid }, details: { from, reason } }
      : undefined,
  refusals: {
    obligation_unknown: 'The obligation does not exist.',
    transition_not_allowed: 'The obligation was already superseded or withdrawn.',
  },
});
