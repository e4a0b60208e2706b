import { LockMode } from '@mikro-orm/core';
import { defineCommand, personOf } from '#lib/governance/command.ts';
import { DataEntitlement } from './data-entitlement.entity.ts';
import { decideEntitlementChange, type EntitlementEvent, type EntitlementState } from './entitlement.ts';
import { openDataset } from './open-dataset.write.ts';

type Input = { uid: string; event: EntitlementEvent };

const ops = {
  approve: 'data_entitlement.approved',
  suspend: 'data_entitlement.suspended',
  end: 'data_entitlement.ended',
} as const satisfies Record<EntitlementEvent, string>;

/** Approves, suspends or ends an entitlement, and opens or closes its dataset for the workspace. */
export const changeEntitlement = defineCommand<Input>()({
  async find(em, { uid }) {
    const found = await em.findOne(DataEntitlement, { uid }, { filters: false });
    return found ? { workspace: found.workspaceUid } : undefined;
  },
  unknown: 'entitlement_unknown',
  lock: (em, { uid }) =>
    em.findOneOrFail(
      DataEntitlement,
      { uid },
      { filters: false, lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true },
    ),
  facts: async (_em, entitlement) => ({ entitlement, from: entitlement.state }),
  decide: ({ entitlement, from }, { event }, at) =>
    decideEntitlementChange(
      { state: from, proposedBy: entitlement.proposedByUid, suspendedBy: entitlement.suspendedByUid },
      event,
      personOf(at),
    ),
  async write(em, { entitlement }, { next }, at) {
    const { now } = at;
    em.assign(entitlement, { state: next, ...changesOf(next, personOf(at), now) });
    await openDataset(em, { dataset: entitlement.datasetId, workspace: entitlement.workspaceUid, now });
    return { result: entitlement };
  },
  entry: ({ entitlement, from }, verdict, { uid, event }) =>
    verdict.ok || verdict.code === 'second_person_required'
      ? {
          op: ops[event],
          subject: { type: 'data_entitlement', uid },
          details: { dataset: entitlement.datasetUid, from },
        }
      : undefined,
  refusals: {
    entitlement_unknown: 'The data entitlement does not exist.',
    entitlement_ended: 'The data entitlement has ended. Grant a new one.',
    entitlement_active: 'The data entitlement is active already.',
    entitlement_not_active: 'Only an active data entitlement can be suspended.',
    second_person_required:
      'The person who proposed or suspended the data entitlement cannot approve it. Another person must approve it.',
  },
});

function changesOf(next: EntitlementState, person: string, now: Date): Partial<DataEntitlement> {
  if (next === 'active')
    return { approvedByUid: person, approvedAt: now, suspendedByUid: null, suspendedAt: null };
  if (next === 'suspended') return { suspendedByUid: person, suspendedAt: now };
  return { endedByUid: person, endedAt: now };
}
