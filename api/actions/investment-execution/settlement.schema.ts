import Type from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, Instant, Line, Minor, Nullable, Sha256Of, Uid } from '#lib/core/schema.ts';
import { causeCodes } from '#lib/actions/execution/reconciliation/causes.ts';
import { exceptionStates } from '#lib/actions/execution/exceptions/exception-decision.ts';
import {
  ageBuckets,
  exceptionKindNames,
  severities,
} from '#lib/actions/execution/exceptions/exception-kinds.ts';
import { pairingStates } from '#lib/actions/execution/reconciliation/pairing.ts';
import { levelTwoFields, lineOutcomes } from '#lib/actions/execution/batch/progress.ts';
import { toleranceRules } from '#lib/actions/execution/reconciliation/tolerance.ts';
import { CurrencyCode } from './evidence.schema.ts';

const Signed = (description: string) =>
  Type.Integer({
    minimum: Number.MIN_SAFE_INTEGER,
    maximum: Number.MAX_SAFE_INTEGER,
    description,
    examples: [0],
  });
const figure = (description: string) => Type.String({ maxLength: 40, description, examples: ['1500'] });

export const Outcome = Type.Enum([...lineOutcomes], { description: 'What it came to.' });

export const Totals = Type.Array(
  Closed(
    {
      currency: CurrencyCode,
      expected_minor: Minor('What was confirmed, in minor units.'),
      settled_minor: Minor('What custody saw move.'),
      remaining_minor: Signed('What is still to move.'),
      accepted_difference_minor: Signed('Differences that a profile tolerates or two persons waived.'),
    },
    { description: 'The sums in one currency; nothing is converted.' },
  ),
  { maxItems: 200, description: 'Sums by currency.' },
);

const LevelTwo = Closed(
  {
    field: Type.Enum([...levelTwoFields], { description: 'What is compared.' }),
    rule: Type.Enum([...toleranceRules], { description: 'How.' }),
    expected: Nullable(figure('What was ordered or confirmed.'), 'Null where nothing is confirmed yet.'),
    observed: figure('What was observed of the order so far.'),
    difference: Nullable(figure('Observed less expected.'), 'Null where nothing is confirmed yet.'),
    within: Nullable(Type.Boolean(), 'Whether it is tolerated; null where it cannot be told yet.'),
  },
  { description: 'A comparison of the second level.' },
);

export const Reconciliation = Closed(
  {
    uid: Uid(prefixes.reconciliation, 'The reconciliation.'),
    evaluated_at: Instant,
    engine_version: Line(40, 'The rules that it was made by.', 'custody-reconciliation/1'),
    tolerance_profile: Closed(
      {
        uid: Nullable(Uid(prefixes.toleranceProfile, 'The profile.'), 'Null is the built-in one: exact.'),
        version: Type.Integer({ minimum: 0, description: 'Its version.', examples: [1] }),
        hash: Sha256Of('SHA-256 of the profile.'),
      },
      { description: 'What may differ; as it was in force at the release.' },
    ),
    outcome: { ...Outcome, description: 'The worst of the lines.' },
    lines: Type.Array(
      Closed(
        {
          line_reference: Line(64, 'The line.', '1'),
          order_uid: Nullable(Uid(prefixes.batchOrder, 'The order.'), 'Null where it fits none, or several.'),
          pairing: Closed(
            {
              level1: Type.Enum([...pairingStates], { description: 'Whether it fits one order.' }),
              keys: Type.Array(Type.String({ maxLength: 40, examples: ['order_hash'] }), {
                maxItems: 5,
                description: 'What it was paired by.',
              }),
            },
            { description: 'The first level: which order it is about.' },
          ),
          level2: Type.Array(LevelTwo, { maxItems: 5, description: 'The second level: how far it agrees.' }),
          outcome: Outcome,
        },
        { description: 'A line with both levels of matching.' },
      ),
      { maxItems: 5_000, description: 'The lines.' },
    ),
    totals: Totals,
  },
  { title: 'CustodyReconciliation', description: 'What an observation came to when it was recorded.' },
);

export const ExecutionException = Closed(
  {
    uid: Uid(prefixes.executionException, 'The exception.'),
    batch_uid: Uid(prefixes.orderBatch, 'The order batch.'),
    kind: Type.Enum([...exceptionKindNames], { description: 'What is wrong.' }),
    severity: Type.Enum([...severities], { description: 'From medium on it keeps the batch from closing.' }),
    state: Type.Enum([...exceptionStates], { description: 'Open until evidence or persons end it.' }),
    opened_at: Instant,
    ended_at: Nullable(Instant, 'When it ended.'),
    ended_by: Nullable(
      Type.Enum(['evidence', 'person'], { description: 'By what.' }),
      'By what it ended: later evidence, or persons.',
    ),
    age_business_days: Type.Integer({
      minimum: 0,
      description: 'Business days of the settlement calendar since it was opened.',
      examples: [2],
    }),
    age_bucket: Type.Enum([...ageBuckets], { description: 'The same in steps.' }),
    order_uid: Nullable(Uid(prefixes.batchOrder, 'The order.'), 'Null where it is about none.'),
    observation_uid: Nullable(
      Uid(prefixes.custodyObservation, 'The observation.'),
      'Null where it is about none.',
    ),
    line_reference: Nullable(Line(64, 'The line.', '1'), 'The line of the observation.'),
    currency: Nullable(CurrencyCode, 'The currency of the amount.'),
    amount_minor: Nullable(Signed('What it is about, in minor units.'), 'Null where it is about no amount.'),
    explanation: Type.String({
      maxLength: 500,
      description: 'What is wrong, for a person.',
      examples: ['The line fits no order of the batch.'],
    }),
    suggested_causes: Type.Array(
      Closed(
        {
          code: Type.Enum([...causeCodes], { description: 'Stable word.' }),
          score: Type.Integer({
            minimum: 0,
            maximum: 100,
            description: 'How likely, in percent.',
            examples: [60],
          }),
          evidence: Type.String({
            maxLength: 300,
            description: 'What speaks for it.',
            examples: ['2 movements so far'],
          }),
        },
        { description: 'A guess; it decides nothing.' },
      ),
      { maxItems: 5, description: 'What usually stands behind it.' },
    ),
  },
  { title: 'ExecutionException', description: 'Something that is wrong with a settlement.' },
);
