import Type from 'typebox';
import { Closed, Instant, Nullable, Sha256, Sha256Of } from '#lib/core/schema.ts';
import { controlKeys, controlStatuses, postureOf } from '#lib/infrastructure/posture/controls.ts';
import { knownControls } from '#lib/infrastructure/posture/posture.write.ts';
import { defineOperation } from '../services.ts';

const Control = Closed(
  {
    key: Type.Enum(controlKeys, { description: 'The control.' }),
    category: Type.Enum(['isolation', 'audit', 'recovery', 'keys', 'operations'], {
      description: 'The subject of the control.',
    }),
    status: Type.Enum([...controlStatuses], {
      description:
        'The status; `not_evaluated` means unknown. Only an evaluator with evidence can pass or fail a control.',
    }),
    evaluated_at: Nullable(Instant, 'When the control was last evaluated; null if never.'),
    evidence: Nullable(
      Closed({
        kind: Type.Literal('evaluation', { description: 'The kind of evidence.' }),
        hash: Sha256Of('SHA-256 of the RFC 8785 form of the finding.'),
      }),
      'The evidence of a control that passed or failed; null otherwise.',
    ),
    stale: Type.Boolean({ description: 'Whether the evaluation is older than `stale_after_hours`.' }),
    stale_after_hours: Type.Integer({ minimum: 1, description: 'Hours.', examples: [24] }),
    detail_code: Type.String({ description: 'A code of the finding.', examples: ['no_foreign_rows'] }),
    declared: Nullable(
      Type.String({
        maxLength: 200,
        description: 'The statement.',
        examples: ['The load balancer terminates TLS 1.3.'],
      }),
      'A statement about the control in the deployment file; null if there is none. A statement never changes the status.',
    ),
    how: Type.String({ description: 'How the control is evaluated.', examples: ['Recomputes the log.'] }),
  },
  { title: 'PostureControl', description: 'A control of the deployment.' },
);

const Counts = Closed(
  Object.fromEntries(
    controlStatuses.map((status) => [
      status,
      Type.Integer({ minimum: 0, description: 'The number of controls with this status.' }),
    ]),
  ),
  { title: 'PostureCounts', description: 'The number of controls by status.' },
);

export const getPosture = defineOperation({
  key: 'infrastructure.posture.get',
  product: 'Infrastructure',
  method: 'GET',
  path: '/infrastructure/posture',
  scope: 'infrastructure:read',
  summary: 'Returns the controls of the deployment, with the evidence of their evaluation.',
  description:
    'Evaluators run as jobs. Nobody can set a status by hand. The posture fails if a control fails, is unknown if a control is ' +
    'stale or not evaluated, and passes otherwise.',
  query: Closed({}),
  success: {
    status: 200,
    description: 'The posture.',
    schema: Closed(
      {
        overall: Type.Enum(['pass', 'fail', 'unknown'], {
          description: 'The status of all controls together.',
        }),
        controls: Type.Array(Control, { description: 'The controls.' }),
        counts: Counts,
        posture_hash: { ...Sha256, description: 'SHA-256 of keys, statuses, codes and evidence hashes.' },
      },
      { title: 'Posture', description: 'The state of the controls of the deployment.' },
    ),
  },
  problems: [],
  async handle({ services }) {
    const now = services.clock.now();
    const known = await services.query(knownControls);
    const file = {
      key: 'deployment_file_hash',
      status: 'pass' as const,
      detailCode: 'checked_at_start',
      evidenceHash: services.deployment.hash,
      evaluatedAt: now,
    };
    const posture = postureOf(
      [...known.filter(({ key }) => key !== file.key), file],
      now,
      services.deployment.declarations,
    );
    const controls = posture.controls.map((each) => ({
      key: each.key,
      category: each.category,
      status: each.status,
      evaluated_at: each.evaluatedAt?.toISOString() ?? null,
      evidence: each.evidenceHash === null ? null : { kind: 'evaluation' as const, hash: each.evidenceHash },
      stale: each.isStale,
      stale_after_hours: each.staleAfterHours,
      detail_code: each.detailCode,
      declared: each.declared,
      how: each.how,
    }));
    const counts = Object.fromEntries(
      controlStatuses.map((status) => [status, controls.filter((each) => each.status === status).length]),
    );
    return { status: 200, body: { overall: posture.overall, controls, counts, posture_hash: posture.hash } };
  },
});
