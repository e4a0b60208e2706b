import { appendAudit } from '#lib/audit/audit.write.ts';
import type { Em } from '#lib/database/base.ts';
import type { EvaluationResult } from './evaluation.schema.ts';

type SealedEvaluation = { uid: string; model: string; versionUid: string; sealHash: string; now: Date };

/** Logs the outcome of an evaluation. An evaluation never approves a version. */
export async function recordEvaluation(
  em: Em,
  { uid, model, versionUid, sealHash, now }: SealedEvaluation,
  { version, passed, counts_for_gate }: EvaluationResult,
): Promise<void> {
  await appendAudit(em, {
    at: now,
    op: 'qlm.evaluated',
    actor: { kind: 'system' },
    subject: { type: 'qlm_version', uid: versionUid },
    afterHash: sealHash,
    details: {
      version,
      passed,
      counts_for_gate,
      evaluation_uid: uid,
      model_uid: model,
      version_uid: versionUid,
    },
  });
}
