import { EvidenceConflict } from './evidence-conflict.entity.ts';
import { GovernedRecord } from './governed/governed-record.entity.ts';
import { PolicyDecision, PolicySetRecord } from './policy/policy-decision.entity.ts';

/** The entities of this folder's tables. */
export const entities = [EvidenceConflict, GovernedRecord, PolicySetRecord, PolicyDecision];
