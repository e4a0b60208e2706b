import { defineCommand } from '#lib/governance/command.ts';
import { Counterparty, type CounterpartyKind } from '#lib/access/counterparty.entity.ts';
import { findPartyByName } from '#lib/access/counterparty.query.ts';
import { Workspace } from '#lib/access/workspace.entity.ts';
import { unknownWorkspace } from '#lib/access/known-place.query.ts';

export type NewParty = {
  workspace: string;
  name: string;
  /** The key by which evidence names a custodian; null for a counterparty. */
  key: string | null;
};

type Verdict = { ok: true } | { ok: false; code: `${CounterpartyKind}_exists` };

/** Creates a party of a workspace: a counterparty or a custodian. */
export function createParty(kind: CounterpartyKind) {
  return defineCommand<NewParty>()({
    find: async (em, { workspace }) =>
      (await em.findOne(Workspace, { uid: workspace })) ? { workspace } : undefined,
    unknown: 'workspace_unknown',
    lock: async () => undefined,
    facts: async (em, _locked, { workspace, name }) =>
      (await findPartyByName(em, workspace, kind, name)) !== null,
    decide: (isTaken): Verdict => (isTaken ? { ok: false, code: `${kind}_exists` } : { ok: true }),
    async write(em, _isTaken, _verdict, { input: { workspace: workspaceUid, name, key }, now }) {
      const party = em.create(Counterparty, {
        workspaceUid,
        kind,
        key,
        name,
        state: 'active',
        createdAt: now,
      });
      await em.flush();
      return { result: party };
    },
    entry: (_isTaken, _verdict, _input, party?: Counterparty) =>
      party && { op: `${kind}.created`, subject: { type: kind, uid: String(party.id) } },
    refusals: {
      ...unknownWorkspace,
      counterparty_exists: 'The workspace already has a counterparty with this name.',
      custodian_exists: 'The workspace already has a custodian with this name.',
    },
  });
}
