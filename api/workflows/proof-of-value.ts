import Type from 'typebox';
import { isUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { Problem, invalid, type Fault, type ProblemCode } from '#lib/core/problem.ts';
import { Closed, ListOf, pageQuery } from '#lib/core/schema.ts';
import type { Denied } from '#lib/governance/command.ts';
import { WorkflowKey } from '#lib/workflows/definition.schema.ts';
import { findProofs } from '#lib/workflows/proof-of-value/proof.query.ts';
import { proofStates } from '#lib/workflows/proof-of-value/proof-states.ts';
import { registerProof } from '#lib/workflows/proof-of-value/register-proof.command.ts';
import { ProofRequest } from '#lib/workflows/proof-of-value/terms.schema.ts';
import { API_PREFIX } from '../derive/router.ts';
import { listReply } from '../http/page.ts';
import { defineOperation } from '../services.ts';
import { tenantOf } from '../tenant.ts';
import { presentProof, ProofOfValueResource } from './proof-of-value.schema.ts';

const PATH = '/workflows/proof-of-value';

/**
 * The codes of those faults of the terms that have their own problem. If there are several such faults, the code that
 * comes first in this list is reported.
 */
const faultProblems = [
  'baseline_evidence_required',
  'statistic_mismatch',
  'window_invalid',
  'window_in_past',
  'invalid_currency',
] as const satisfies readonly ProblemCode[];

export const createProofOfValue = defineOperation({
  key: 'workflows.proof_of_value.create',
  product: 'Workflows',
  method: 'POST',
  path: PATH,
  scope: 'workflow:manage',
  summary: 'Fixes the terms of a proof of value of a workflow.',
  description:
    'The terms are fixed before the window begins and never change. The service gives the verdict once, ten minutes after the end of the window, from every run that ended in the window. The verdict says whether the target was met in the window, but nothing about causes. A proof of value starts no run. A workflow has at most one open proof of value.',
  body: ProofRequest,
  success: { status: 201, description: 'The proof of value.', schema: ProofOfValueResource },
  problems: [...faultProblems, 'unknown_workflow', 'proof_of_value_active'],
  async handle(call) {
    const { services, caller, body } = call;
    return services.govern(
      call,
      registerProof,
      { ...tenantOf(caller), request: body },
      {
        present: ({ result }) => ({
          status: 201 as const,
          body: presentProof(result),
          headers: { Location: `${API_PREFIX}${PATH}/${result.uid}` },
        }),
        refuse: problemOf,
      },
    );
  },
});

export const listProofsOfValue = defineOperation({
  key: 'workflows.proof_of_value.list',
  product: 'Workflows',
  method: 'GET',
  path: PATH,
  scope: 'workflow:read',
  summary: 'Lists the proofs of value, newest first.',
  description: 'Figures are shown once the verdict is given.',
  query: Closed({
    ...pageQuery,
    state: Type.Optional(
      Type.Enum([...proofStates], { description: 'Returns only proofs of value in this state.' }),
    ),
    workflow_key: Type.Optional({
      ...WorkflowKey,
      description: 'Returns only proofs of value of this workflow.',
    }),
  }),
  success: { status: 200, description: 'A page of proofs of value.', schema: ListOf(ProofOfValueResource) },
  problems: ['invalid_cursor'],
  handle({ services, query }) {
    const { state, workflow_key: key } = query;
    return listReply(services, query, {
      list: PATH,
      filters: { state: state ?? null, workflow_key: key ?? null },
      hasLargeRows: true,
      rows: (em, page) => findProofs(em, { ...page, state, key }),
      present: presentProof,
    });
  },
});

export const getProofOfValue = defineOperation({
  key: 'workflows.proof_of_value.get',
  product: 'Workflows',
  method: 'GET',
  path: `${PATH}/{uid}`,
  scope: 'workflow:read',
  addition: true,
  summary: 'Returns a proof of value.',
  description: 'The fields are the same as in the list.',
  success: { status: 200, description: 'The proof of value.', schema: ProofOfValueResource },
  problems: ['not_found'],
  async handle({ services, params: { uid }, fail }) {
    const [found] = isUid(uid, prefixes.proofOfValue)
      ? await services.query(findProofs, { uid, limit: 1 })
      : [];
    return {
      status: 200,
      body: found ? presentProof(found) : fail('not_found', 'The proof of value does not exist.'),
    };
  },
});

function problemOf(refused: Denied<typeof registerProof>): Problem {
  const { code, detail } = refused;
  switch (code) {
    case 'workspace_unknown':
      return new Problem('not_found', detail);
    case 'unknown_workflow': {
      const message = 'must be a workflow of the workspace';
      const fault = { pointer: '/workflow_key', in: 'body', code, message } as const;
      return new Problem(code, detail, { errors: [fault] });
    }
    case 'proof_of_value_active':
      return new Problem(code, detail, { members: { existing: { uid: refused.active } } });
    case 'terms_invalid': {
      const errors = refused.faults.map((fault): Fault => ({ ...fault, in: 'body' }));
      const own = faultProblems.find((each) => errors.some((fault) => fault.code === each));
      if (own === undefined) return invalid(errors);
      const first = errors.find((fault) => fault.code === own)!;
      return new Problem(own, `${first.pointer} ${first.message}.`, { errors });
    }
  }
}
