import { defineCommand } from '#lib/governance/command.ts';
import { lockControl } from '#lib/governance/governed/control-lock.query.ts';
import { Counterparty, type CounterpartyKind } from '#lib/access/counterparty.entity.ts';
import { Workspace } from '#lib/access/workspace.entity.ts';
import { suspendUnsupportedEverywhere } from '../delegations/support.write.ts';
import { unknownWorkspace } from '#lib/access/known-place.query.ts';

export type PartyArchival = { workspace: string; id: number; reason: string };

type Verdict = { ok: true } | { ok: false; code: `${CounterpartyKind}_unknown` };

/**
 * Archives a party permanently. One person is enough to archive it. Delegations that name the party are
 * suspended.
 */
export function archiveParty(kind: CounterpartyKind) {
  return defineCommand<PartyArchival>()({
    find: async (em, { workspace }) =>
      (await em.findOne(Workspace, { uid: workspace })) ? { workspace } : undefined,
    unknown: 'workspace_unknown',
    lock: (em, { workspace }) => lockControl(em, workspace, 'change'),
    facts: (em, _locked, { workspace: workspaceUid, id }) =>
      em.findOne(Counterparty, { id, workspaceUid, kind, state: 'active' }, { filters: false }),
    decide: (party): Verdict => (party ? { ok: true } : { ok: false, code: `${kind}_unknown` }),
    async write(em, found, _verdict, { input: { workspace }, now }) {
      const party = found!;
      party.state = 'archived';
      const follow = async () => void (await suspendUnsupportedEverywhere(em, workspace, now));
      return { result: party, follow };
    },
    entry: (_party, verdict, { id, reason }) =>
      verdict.ok
        ? { op: `${kind}.archived`, subject: { type: kind, uid: String(id) }, details: { reason } }
        : undefined,
    refusals: {
      ...unknownWorkspace,
      counterparty_unknown: 'The workspace has no active counterparty with this id.',
      custodian_unknown: 'The workspace has no active custodian with this id.',
    },
  });
}
