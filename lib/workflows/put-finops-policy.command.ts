import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { canonicalHash } from '#lib/core/seal.ts';
import type { Tenant } from '#lib/database/base.ts';
import { applicationOf, defineCommand } from '#lib/governance/command.ts';
import { knownPlace, unknownWorkspace } from '#lib/access/known-place.query.ts';
import { FinopsPolicy } from './finops-policy.entity.ts';
import type { FinopsPolicyBody } from './finops-policy.schema.ts';
import { lockFinopsPolicy, unknownWorkflows } from './finops.query.ts';

type Input = Tenant & {
  body: FinopsPolicyBody;
  /** Throws if the current policy differs from the policy that the caller has read. */
  requireMatch(before: FinopsPolicy | null): void;
};

type Facts = { before: FinopsPolicy | null; unknown: string | undefined; policyHash: string };

type PutVerdict =
  | { ok: true; isNew: boolean }
  | { ok: false; code: 'unknown_workflow'; detail: string; workflow: string };

/** Replaces the policy on the costs of workflows. An identical policy changes nothing. */
export const putFinopsPolicy = defineCommand<Input>()({
  find: knownPlace,
  unknown: 'workspace_unknown',
  lock: (em) => lockFinopsPolicy(em),
  async facts(em, before, { body, requireMatch }): Promise<Facts> {
    requireMatch(before);
    const [unknown] = await unknownWorkflows(
      em,
      body.per_workflow.map(({ workflow_key: key }) => key),
    );
    return { before, unknown, policyHash: canonicalHash(body) };
  },
  decide({ before, unknown, policyHash }): PutVerdict {
    if (unknown === undefined) return { ok: true, isNew: before?.policyHash !== policyHash };
    const detail = `The workflow ${unknown} does not exist.`;
    return { ok: false, code: 'unknown_workflow', detail, workflow: unknown };
  },
  async write(em, { before, policyHash }, { isNew }, at) {
    if (!isNew) return { result: { policy: before!, now: at.now } };
    const { workspace, environment, body } = at.input;
    const policy = em.create(FinopsPolicy, {
      uid: newUid(prefixes.finopsPolicy),
      workspaceUid: workspace,
      environment,
      version: (before?.version ?? 0) + 1,
      body,
      policyHash,
      updatedAt: at.now,
      updatedByUid: applicationOf(at),
    });
    return { result: { policy, now: at.now } };
  },
  entry: ({ before }, verdict, _input, put) =>
    verdict.ok && verdict.isNew
      ? {
          op: 'finops.policy_updated',
          subject: { type: 'finops_policy', uid: put!.policy.uid, version: put!.policy.version },
          ...(before ? { beforeHash: before.policyHash } : {}),
          afterHash: put!.policy.policyHash,
        }
      : undefined,
  refusals: {
    ...unknownWorkspace,
    unknown_workflow: 'The workflow does not exist.',
  },
});
