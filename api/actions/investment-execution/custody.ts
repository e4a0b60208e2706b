import Type from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { isUid } from '#lib/core/id.ts';
import { Problem } from '#lib/core/problem.ts';
import { Closed, Uid } from '#lib/core/schema.ts';
import { exceptionsOf } from '#lib/actions/execution/exceptions/exception.query.ts';
import { observeCustody } from '#lib/actions/execution/evidence/observe-custody.command.ts';
import type { EvidenceFault } from '#lib/actions/execution/evidence/evidence-fault.ts';
import type { Denied } from '#lib/governance/command.ts';
import { conflictProblem } from '../../refusal.ts';
import { defineOperation } from '../../services.ts';
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
      description:
        'The open exceptions about the orders of the observation, the observation itself, or the batch.',
    }),
    batch: Closed(
      {
        uid: Uid(prefixes.orderBatch, 'The uid of the batch.'),
        state: State,
        previous_state: { ...State, description: 'The state of the batch before the observation.' },
        closed: Type.Boolean({ description: 'Whether the batch is closed now.' }),
        closing_blockers: Blockers,
      },
      { description: 'The current state of the batch.' },
    ),
  },
  { title: 'EvaluatedCustody', description: 'A custody observation, and the result of its reconciliation.' },
);

export const createCustodyObservation = defineOperation({
  key: 'actions.investment_execution.custody.create',
  product: 'Financial Actions',
  method: 'POST',
  path: '/actions/investment-execution/{uid}/custody',
  scope: 'investment:execute',
  summary: 'Records custody evidence and reconciles the order batch from all of its evidence.',
  description:
    'Each line is paired with an order, and compared with the order and its confirmation. By default, all values must be equal. Sending the same observation again has no effect. ' +
    'A different observation under the same reference is refused but stored, and raises an exception. ' +
    'Evidence that contradicts a closed batch reopens it. The source must not be a party that ' +
    'executed or confirmed the trade.',
  body: CustodyBody,
  success: {
    status: 200,
    description: 'The observation, and the result of its reconciliation.',
    schema: Evaluated,
  },
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
    const { services, params, body, fail } = call;
    const { uid } = params;
    if (!isUid(uid, prefixes.orderBatch)) fail('not_found', 'The order batch does not exist.');
    return services.govern(
      call,
      observeCustody,
      { batch: uid, offered: body },
      {
        async present({ outcome, result: { observation, batch, previous }, at }, query) {
          const exceptions = await query(exceptionsOf, observation);
          return {
            status: 200,
            body: {
              observation: presentObservation(observation),
              reconciliation: presentReconciliation(observation),
              exceptions: exceptions.map(({ record, calendar }) => presentException(record, calendar, at)),
              batch: {
                uid,
                state: batch.state,
                previous_state: previous,
                closed: batch.state === 'closed',
                closing_blockers: blockersOf(batch),
              },
            },
            headers: outcome === 'seen_again' ? { 'Idempotent-Replayed': 'true' } : {},
          };
        },
        refuse: problemOf,
      },
    );
  },
});

function problemOf(refused: Denied<typeof observeCustody>): Problem {
  switch (refused.code) {
    case 'batch_unknown':
      return new Problem('not_found', refused.detail);
    case 'insufficient_evidence':
    case 'invalid_custody_evidence':
      return evidenceProblem(refused.code, refused.faults);
    case 'observation_conflict':
      return conflictProblem(refused.code, refused);
    default:
      return new Problem(refused.code, refused.detail);
  }
}

function evidenceProblem(
  code: 'insufficient_evidence' | 'invalid_custody_evidence',
  faults: readonly EvidenceFault[],
): Problem {
  const [first] = faults;
  return new Problem(code, `${first!.pointer} ${first!.message}.`, {
    errors: faults.slice(0, 50).map((fault) => ({ ...fault, in: 'body' as const })),
  });
}
