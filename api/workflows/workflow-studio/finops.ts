import { minorDigits } from '#lib/core/money.ts';
import { invalid, Problem } from '#lib/core/problem.ts';
import { Closed } from '#lib/core/schema.ts';
import type { FinopsPolicy } from '#lib/workflows/finops-policy.entity.ts';
import {
  FinopsFigures,
  FinopsPolicyAnswer,
  FinopsPolicyRequest,
  FinopsPolicyResource,
  type FinopsPolicyBody,
} from '#lib/workflows/finops-policy.schema.ts';
import { currentMonth, monthToDate } from '#lib/workflows/finops-month.query.ts';
import { currentFinopsPolicy } from '#lib/workflows/finops.query.ts';
import { putFinopsPolicy } from '#lib/workflows/put-finops-policy.command.ts';
import { etagOf } from '../../http/etag.ts';
import { defineOperation } from '../../services.ts';
import { tenantOf } from '../../tenant.ts';

const PATH = '/workflow-studio/finops/policy';
const NONE = 'No policy exists yet.';

export const updateFinopsPolicy = defineOperation({
  key: 'workflow_studio.finops.policy.update',
  product: 'Workflows',
  method: 'PUT',
  path: PATH,
  scope: 'workflow:manage',
  summary: 'Replaces the cost policy of the workflows.',
  description:
    'The policy only observes: a run over its budget still runs, and admission decisions ignore the policy. Submitting an identical policy creates no new version. `If-Match` takes the `ETag` that was returned when the policy was read or last changed.',
  body: FinopsPolicyRequest,
  success: { status: 200, description: 'The policy, and the current month.', schema: FinopsPolicyAnswer },
  problems: ['finops_policy_is_observational', 'invalid_currency', 'unknown_workflow', 'precondition_failed'],
  async handle(call) {
    const { services, caller, fail } = call;
    const body = checkedBody(call.body);
    if (body.mode !== 'observe') {
      fail(
        'finops_policy_is_observational',
        'The mode must be observe: the policy reports costs and cannot stop runs.',
      );
    }
    if (minorDigits(body.currency) === undefined) {
      fail('invalid_currency', `${body.currency} is not an active ISO 4217 currency.`, {
        errors: [
          {
            pointer: '/currency',
            in: 'body',
            code: 'invalid_currency',
            message: 'must be an active ISO 4217 currency',
          },
        ],
      });
    }
    const put = { ...tenantOf(caller), body, requireMatch };
    return services.govern(call, putFinopsPolicy, put, {
      async present({ result: { policy, now } }, query) {
        const presented = presentPolicy(policy);
        return {
          status: 200 as const,
          headers: { ETag: etagOf(JSON.stringify(presented)) },
          body: {
            ...presented,
            ...(await query(monthToDate, policy.body, now)),
            warnings: warningsOf(policy.body),
          },
        };
      },
      refuse(denied) {
        if (denied.code === 'workspace_unknown') throw new Error(denied.detail);
        return unknownWorkflow(denied, body);
      },
    });

    function requireMatch(before: FinopsPolicy | null): void {
      call.requireMatch(before && presentPolicy(before));
    }
  },
});

export const getFinopsPolicy = defineOperation({
  key: 'workflow_studio.finops.policy.get',
  product: 'Workflows',
  method: 'GET',
  path: PATH,
  scope: 'workflow:read',
  addition: true,
  summary: 'Returns the cost policy of the workflows.',
  description: 'Returns the newest version. Its `ETag` changes only with the policy, not with the costs.',
  success: { status: 200, description: 'The policy.', schema: FinopsPolicyResource },
  problems: ['not_found'],
  async handle({ services, fail }) {
    const policy = (await services.query(currentFinopsPolicy)) ?? fail('not_found', NONE);
    return { status: 200, body: presentPolicy(policy) };
  },
});

export const getFinopsMonth = defineOperation({
  key: 'workflow_studio.finops.month.get',
  product: 'Workflows',
  method: 'GET',
  path: '/workflow-studio/finops/month',
  scope: 'workflow:read',
  addition: true,
  summary: 'Returns the workflow costs of the current month, and the budget thresholds that were crossed.',
  description:
    'The figures use the currency and the budgets of the current policy. Usage without a price is never counted as zero; it sets `is_floor` to true.',
  query: Closed({}),
  success: { status: 200, description: 'The current month.', schema: FinopsFigures },
  problems: ['not_found'],
  async handle({ services, fail }) {
    const figures = await services.query(currentMonth, services.clock.now());
    return { status: 200, body: figures ?? fail('not_found', NONE) };
  },
});

/**
 * Returns the problem for a budget whose workflow does not exist. The problem points to the member that names the
 * workflow.
 */
function unknownWorkflow(
  { detail, workflow }: { detail: string; workflow: string },
  { per_workflow }: FinopsPolicyBody,
): Problem {
  const at = per_workflow.findIndex(({ workflow_key }) => workflow_key === workflow);
  const pointer = `/per_workflow/${at}/workflow_key`;
  const fault = {
    pointer,
    in: 'body',
    code: 'unknown_workflow',
    message: 'must be a workflow of the workspace',
  } as const;
  return new Problem('unknown_workflow', detail, { errors: [fault] });
}

function warningsOf(body: FinopsPolicyBody): 'budgets_exceed_total'[] {
  const single = body.per_workflow.reduce((sum, each) => sum + BigInt(each.monthly_budget_minor), 0n);
  return single > BigInt(body.monthly_budget_minor) ? ['budgets_exceed_total'] : [];
}

/** Returns the request with its defaults. Refuses a request with faults that the schema cannot express. */
function checkedBody(body: FinopsPolicyRequest): FinopsPolicyBody {
  const { thresholds_pct: thresholds, per_workflow: single = [], cost_basis = 'metered', labels = {} } = body;
  const at = thresholds.findIndex((each, index) => index > 0 && each <= thresholds[index - 1]!);
  if (at > 0) {
    throw invalid([
      {
        pointer: `/thresholds_pct/${at}`,
        in: 'body',
        code: 'not_rising',
        message: 'must be greater than the previous one',
      },
    ]);
  }
  const keys = single.map(({ workflow_key: key }) => key);
  const twice = keys.findIndex((key, index) => keys.indexOf(key) < index);
  if (twice > 0) {
    const pointer = `/per_workflow/${twice}/workflow_key`;
    throw invalid([{ pointer, in: 'body', code: 'repeated', message: 'must not be repeated' }]);
  }
  return { ...body, per_workflow: single, cost_basis, labels };
}

function presentPolicy({ uid, version, body, policyHash, updatedAt, updatedByUid }: FinopsPolicy) {
  return {
    uid,
    version,
    mode: 'observe' as const,
    currency: body.currency,
    monthly_budget_minor: body.monthly_budget_minor,
    thresholds_pct: body.thresholds_pct,
    per_workflow: body.per_workflow,
    cost_basis: body.cost_basis,
    labels: body.labels,
    effect: { blocks_runs: false as const, overrides_admission: false as const },
    policy_hash: policyHash,
    updated_at: updatedAt.toISOString(),
    updated_by: updatedByUid,
  };
}
