import Type from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { isUid } from '#lib/core/id.ts';
import { Problem } from '#lib/core/problem.ts';
import { Closed, Uid } from '#lib/core/schema.ts';
import { appendAudit } from '#lib/audit/audit.repository.ts';
import { lockForObservation } from '#lib/actions/execution/evidence-lock.repository.ts';
import { readObservation, type EvidenceFault } from '#lib/actions/execution/observation.ts';
import {
  dependentConfirmation,
  exceptionsOf,
  recordObservation,
  type Recorded,
} from '#lib/actions/execution/observation.repository.ts';
import { calendarOf } from '#lib/actions/execution/rules.repository.ts';
import { Counterparty } from '#lib/workspace/counterparty.entity.ts';
import { defineOperation } from '../../services.ts';
import { tenantOf } from '../../tenant.ts';
import { Blockers, State } from './batch.schema.ts';
import { CustodyBody, CustodyObservation as ObservationSchema } from './evidence.schema.ts';
import { blockersOf, presentException, presentObservation, presentReconciliation } from './presenters.ts';
import { ExecutionException, Reconciliation } from './settlement.schema.ts';

const Evaluated = Closed(
  {
    observation: ObservationSchema,
    reconciliation: Reconciliation,
    exceptions: Type.Array(ExecutionException, {
      maxItems: 1_000,
      description: 'What is open now about the orders of the observation, itself, or the batch.',
    }),
    batch: Closed(
      {
        uid: Uid(prefixes.orderBatch, 'The batch.'),
        state: State,
        previous_state: { ...State, description: 'Its state before the observation.' },
        closed: Type.Boolean({ description: 'Whether it is closed now.' }),
        closing_blockers: Blockers,
      },
      { description: 'Where the batch stands now.' },
    ),
  },
  { title: 'EvaluatedCustody', description: 'A custody observation, and what it came to.' },
);

export const createCustodyObservation = defineOperation({
  key: 'actions.investment_execution.custody.create',
  product: 'Financial Actions',
  method: 'POST',
  path: '/actions/investment-execution/{uid}/custody',
  scope: 'investment:execute',
  summary: 'Records custody evidence, and reconciles the order batch from all of it.',
  description:
    'Lines are paired with orders, and compared with what was ordered and confirmed; the default is exact. The same ' +
    'observation again changes nothing; another under its reference is refused, kept, and raises an exception. What ' +
    'contradicts a closed batch reopens it. The source has to be another than who executed or confirmed.',
  body: CustodyBody,
  success: { status: 200, description: 'The observation, and what it came to.', schema: Evaluated },
  problems: [
    'not_found',
    'batch_cancelled',
    'unknown_custodian',
    'custody_source_not_independent',
    'insufficient_evidence',
    'invalid_custody_evidence',
    'observation_conflict',
  ],
  async handle(call) {
    const { services, caller, params, body, requestId, fail } = call;
    const now = services.clock.now();
    return services.once(call, async (em) => {
      const { uid } = params;
      const name = { custodian: body.custodian, reference: body.observation_reference };
      const batch = isUid(uid, prefixes.orderBatch) ? await lockForObservation(em, uid, name) : null;
      if (!batch) fail('not_found', 'There is no such order batch.');
      const actor = { kind: 'application' as const, uid: caller.application, credential: caller.credential };
      const source = { custodian: body.custodian, sourceSystem: body.source_system };
      const dependent = await dependentConfirmation(em, uid, source);
      if (dependent) {
        const code = 'custody_source_not_independent';
        const subject = { type: 'order_batch', uid };
        await appendAudit(em, { at: now, op: 'custody.observed', actor, subject, requestId, refused: code });
        return new Problem(
          code,
          'Custodian or source is the executing broker or the source of a confirmation.',
        );
      }
      const known = await em.count(Counterparty, { kind: 'custodian', key: body.custodian, state: 'active' });
      if (!known) fail('unknown_custodian', '/custodian must be the key of a custodian of the workspace.');
      const times = { now, since: batch!.createdAt, observedAt: new Date(body.observed_at) };
      const read = readObservation(body, times);
      if (!read.ok) throw evidenceProblem(read.code, read.faults);
      if (batch!.state === 'cancelled')
        fail('batch_cancelled', 'A batch that was cancelled takes no evidence.');
      const recorded = await recordObservation(
        em,
        batch!,
        {
          ...source,
          reference: body.observation_reference,
          sourceReference: body.source_reference,
          sourceHash: read.sourceHash,
          hashGrade: read.hashGrade,
          content: read.content,
          contentHash: read.contentHash,
          application: caller.application,
        },
        { actor, now, requestId },
      );
      if (recorded.outcome === 'conflict') return conflictOf(recorded);
      const { observation, previous } = recorded;
      const calendar = await calendarOf(em, tenantOf(caller));
      const exceptions = await exceptionsOf(em, observation);
      return {
        status: 200,
        body: {
          observation: presentObservation(observation),
          reconciliation: presentReconciliation(observation),
          exceptions: exceptions.map((each) => presentException(each, calendar, now)),
          batch: {
            uid,
            state: batch!.state,
            previous_state: previous,
            closed: batch!.state === 'closed',
            closing_blockers: blockersOf(batch!),
          },
        },
        headers: recorded.outcome === 'seen_again' ? { 'Idempotent-Replayed': 'true' } : {},
      };
    });
  },
});

function evidenceProblem(
  code: 'insufficient_evidence' | 'invalid_custody_evidence',
  faults: readonly EvidenceFault[],
): Problem {
  const [first] = faults;
  return new Problem(code, `${first!.pointer} ${first!.message}.`, {
    errors: faults.slice(0, 50).map((fault) => ({ ...fault, in: 'body' as const })),
  });
}

function conflictOf({
  observation,
  conflict,
  kind,
  differing,
}: Extract<Recorded, { outcome: 'conflict' }>): Problem {
  return new Problem('observation_conflict', 'Another observation is kept under this reference.', {
    members: {
      kind,
      differing,
      conflict_uid: conflict,
      existing: { uid: observation.uid, source_hash: observation.sourceHash },
    },
  });
}
