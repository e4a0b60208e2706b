import { canonicalHash } from '#lib/core/seal.ts';

/**
 * The facts that determine whether a numeric dataset is **governed**. A dataset is governed if it has an owner,
 * a licence, a unit for every column, and the approval of a person who does not own it and has neither
 * imported nor described it. The approval covers exactly these facts and the content. If any of them changes,
 * the approval ends.
 */
export type GovernanceFacts = {
  /** Uid of the person who owns the dataset. */
  owner: string | null;
  /** Uids of the persons who imported the content or have ever described it. */
  makers: readonly string[];
  licence: string | null;
  columns: readonly { name: string; unit: string | null }[];
  /** Hash of the state that an approval would cover now. */
  presentHash: string;
  /** The newest approval. */
  approval: { by: string; hash: string } | null;
};

export type DescriptionFault = 'owner_missing' | 'licence_missing' | 'unit_missing';
export type GovernanceFault =
  | DescriptionFault
  | 'approval_missing'
  | 'approval_outdated'
  | 'approver_not_independent';

export type Governance = { governed: true } | { governed: false; reasons: GovernanceFault[] };

/** Decides whether a dataset is governed. If not, returns all reasons. */
export function decideDatasetGovernance(facts: GovernanceFacts): Governance {
  const { approval, presentHash } = facts;
  const reasons: GovernanceFault[] = describedFaults(facts);
  if (approval === null) reasons.push('approval_missing');
  else {
    if (approval.hash !== presentHash) reasons.push('approval_outdated');
    if (!isIndependent(approval.by, facts)) reasons.push('approver_not_independent');
  }
  return reasons.length === 0 ? { governed: true } : { governed: false, reasons };
}

export type ApprovalDecision =
  | { ok: true }
  | { ok: false; code: DescriptionFault | 'approver_not_independent' | 'already_approved' };

/** Decides whether a person may approve the current state of a dataset. */
export function decideDatasetApproval(facts: GovernanceFacts, approver: string): ApprovalDecision {
  const [fault] = describedFaults(facts);
  if (fault !== undefined) return { ok: false, code: fault };
  if (!isIndependent(approver, facts)) return { ok: false, code: 'approver_not_independent' };
  if (decideDatasetGovernance(facts).governed) return { ok: false, code: 'already_approved' };
  return { ok: true };
}

/** Returns the SHA-256 of the approved state: the content and its description. */
export function approvedHash(said: {
  dataset_uid: string;
  content_hash: string;
  columns: readonly { name: string; type: string; unit: string | null }[];
  owner: string | null;
  licence: string | null;
  source: string | null;
}): string {
  return canonicalHash(said);
}

function describedFaults({ owner, licence, columns }: GovernanceFacts): DescriptionFault[] {
  return [
    ...(owner === null ? (['owner_missing'] as const) : []),
    ...(licence === null ? (['licence_missing'] as const) : []),
    ...(columns.some(({ unit }) => unit === null) ? (['unit_missing'] as const) : []),
  ];
}

function isIndependent(person: string, { owner, makers }: GovernanceFacts): boolean {
  return person !== owner && !makers.includes(person);
}
