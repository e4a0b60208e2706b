import type { Environment } from '#lib/database/base.ts';
import type { Em } from '#lib/database/orm.ts';
import { EvidenceConflict } from '#lib/governance/evidence-conflict.entity.ts';
import type {
  ConflictDecision,
  ConflictVerdict,
  EvidenceSubject,
} from '#lib/governance/evidence-conflict.ts';
import { asOperator } from './operator.ts';
import { findWorkspace } from './options.ts';
import { record } from './record.ts';

type RefusalCode = Extract<ConflictVerdict, { ok: false }>['code'];

export const conflictRefusals: Record<RefusalCode, string> = {
  conflict_resolved: 'the conflict was decided already',
  resolver_not_independent: 'who owns or answers for an application that offered a side of it cannot decide',
  transition_not_allowed: 'the record has ended; its conflicts can only be kept aside',
  conflicts_open: 'other evidence contradicts the record as well: decide that first',
};

/** The contradicting evidence about records of one kind that waits for a person. */
export async function openConflicts(
  subjectType: EvidenceSubject,
  { workspace, environment }: { workspace: string; environment: Environment },
) {
  const open = await asOperator((operator) =>
    operator.inWorkspace(
      workspace,
      async (em) => {
        await findWorkspace(em, workspace);
        return em.find(EvidenceConflict, { state: 'open', subjectType }, { orderBy: { uid: 'asc' } });
      },
      environment,
    ),
  );
  return open.map(({ uid, subjectUid, kind, differing, timesOffered, offeredAt }) => ({
    uid,
    [`${subjectType}_uid`]: subjectUid,
    kind,
    differing,
    times_offered: timesOffered,
    offered_at: offeredAt.toISOString(),
  }));
}

/** Writes what was decided about a conflict, or refused, into the audit log of its tenant. */
export async function recordDecision(
  em: Em,
  change: { conflict: EvidenceConflict } & ({ ok: true } | { ok: false; code: RefusalCode }),
  about: {
    person: string;
    decision: ConflictDecision;
    reason: string;
    told: Readonly<Record<string, string | null>>;
  },
): Promise<void> {
  const { conflict } = change;
  const { person, decision, reason, told } = about;
  await record(em, {
    op: `${conflict.subjectType}.conflict_resolved`,
    by: person,
    workspace: conflict.workspaceUid,
    environment: conflict.environment,
    subject: { type: conflict.subjectType, uid: conflict.subjectUid },
    ...(change.ok ? {} : { refused: change.code }),
    details: { conflict_uid: conflict.uid, decision, reason, ...told },
  });
}
