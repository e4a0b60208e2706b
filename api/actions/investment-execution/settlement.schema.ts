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

export const Outcome = Type.Enum([...lineOutcomes], { description: 'The result of the line.' });

export const Totals = Type.Array(
  Closed(
    {
      currency: CurrencyCode,
      expected_minor: Minor('The confirmed amount, in minor units.'),
      settled_minor: Minor('The settled amount, as observed by custody, in minor units.'),
      remaining_minor: Signed('The amount that has not settled yet, in minor units.'),
      accepted_difference_minor: Signed(
        'The sum of the differences that are within tolerance or were waived by two persons, in minor units.',
      ),
    },
    { description: 'The sums in one currency. Amounts are never converted.' },
  ),
  { maxItems: 200, description: 'The sums, one entry per currency.' },
);

const LevelTwo = Closed(
  {
    field: Type.Enum([...levelTwoFields], { description: 'The field that is compared.' }),
    rule: Type.Enum([...toleranceRules], { description: 'The rule of the comparison.' }),
    expected: Nullable(
      figure('The ordered or confirmed value.'),
      'The ordered or confirmed value; null if nothing is confirmed yet.',
    ),
    observed: figure('The observed value of the order so far.'),
    difference: Nullable(
      figure('The observed value minus the expected value.'),
      'The observed value minus the expected value; null if nothing is confirmed yet.',
    ),
    within: Nullable(
      Type.Boolean(),
      'Whether the difference is within the tolerance; null if this is not known yet.',
    ),
  },
  { description: 'The comparison of one field.' },
);

export const Reconciliation = Closed(
  {
    uid: Uid(prefixes.reconciliation, 'The uid of the reconciliation.'),
    evaluated_at: Instant,
    engine_version: Line(40, 'The version of the reconciliation engine.', 'custody-reconciliation/1'),
    tolerance_profile: Closed(
      {
        uid: Nullable(
          Uid(prefixes.toleranceProfile, 'The uid of the profile.'),
          'The tolerance profile; null for the built-in profile, in which all values must be exact.',
        ),
        version: Type.Integer({ minimum: 0, description: 'The version of the profile.', examples: [1] }),
        hash: Sha256Of('SHA-256 of the profile.'),
      },
      { description: 'The tolerance profile that was active at the release.' },
    ),
    outcome: { ...Outcome, description: 'The least favourable result of all lines.' },
    lines: Type.Array(
      Closed(
        {
          line_reference: Line(64, 'The reference of the line.', '1'),
          order_uid: Nullable(
            Uid(prefixes.batchOrder, 'The uid of the order.'),
            'The order that the line is paired with; null if the line fits no order or several orders.',
          ),
          pairing: Closed(
            {
              level1: Type.Enum([...pairingStates], {
                description: 'Whether the line fits exactly one order.',
              }),
              keys: Type.Array(Type.String({ maxLength: 40, examples: ['order_hash'] }), {
                maxItems: 5,
                description: 'The fields by which the line was paired.',
              }),
            },
            { description: 'First level of matching: the order that the line belongs to.' },
          ),
          level2: Type.Array(LevelTwo, {
            maxItems: 5,
            description: 'Second level of matching: the comparison of the values of line and order.',
          }),
          outcome: Outcome,
        },
        { description: 'The result of both levels of matching for one line.' },
      ),
      { maxItems: 5_000, description: 'The result of each line.' },
    ),
    totals: Totals,
  },
  {
    title: 'CustodyReconciliation',
    description: 'The result of the reconciliation when the observation was recorded.',
  },
);

export const ExecutionException = Closed(
  {
    uid: Uid(prefixes.executionException, 'The uid of the exception.'),
    batch_uid: Uid(prefixes.orderBatch, 'The uid of the order batch.'),
    kind: Type.Enum([...exceptionKindNames], { description: 'The kind of the exception.' }),
    severity: Type.Enum([...severities], {
      description:
        'The severity. An exception of severity `medium` or `high` keeps the batch from being closed.',
    }),
    state: Type.Enum([...exceptionStates], {
      description: 'The state. An exception is open until evidence or persons end it.',
    }),
    opened_at: Instant,
    ended_at: Nullable(Instant, 'The time at which the exception ended; null if it has not ended.'),
    ended_by: Nullable(
      Type.Enum(['evidence', 'person'], { description: 'The cause of the end.' }),
      'The cause of the end: later evidence, or persons; null if the exception has not ended.',
    ),
    age_business_days: Type.Integer({
      minimum: 0,
      description: 'The age in business days of the settlement calendar, up to the end of the exception.',
      examples: [2],
    }),
    age_bucket: Type.Enum([...ageBuckets], { description: 'The age as a range of business days.' }),
    order_uid: Nullable(
      Uid(prefixes.batchOrder, 'The uid of the order.'),
      'The order of the exception; null if the exception concerns no order.',
    ),
    observation_uid: Nullable(
      Uid(prefixes.custodyObservation, 'The uid of the observation.'),
      'The custody observation of the exception; null if the exception concerns no observation.',
    ),
    line_reference: Nullable(
      Line(64, 'The reference of the line.', '1'),
      'The reference of the line in the observation; null if the exception concerns no line.',
    ),
    currency: Nullable(
      CurrencyCode,
      'The currency of the amount; null if the exception concerns no currency.',
    ),
    amount_minor: Nullable(
      Signed('The amount of the exception, in minor units.'),
      'The amount of the exception, in minor units; null if the exception concerns no amount.',
    ),
    explanation: Type.String({
      maxLength: 500,
      description: 'An explanation of the exception, for people.',
      examples: ['The line fits no order of the batch.'],
    }),
    suggested_causes: Type.Array(
      Closed(
        {
          code: Type.Enum([...causeCodes], { description: 'A stable code.' }),
          score: Type.Integer({
            minimum: 0,
            maximum: 100,
            description: 'The likelihood, in percent.',
            examples: [60],
          }),
          evidence: Type.String({
            maxLength: 300,
            description: 'The evidence for the cause.',
            examples: ['2 movements so far'],
          }),
        },
        { description: 'A possible cause. It is a hint and has no effect.' },
      ),
      { maxItems: 5, description: 'The usual causes of such an exception, most likely first.' },
    ),
  },
  {
    title: 'ExecutionException',
    description: 'A settlement exception: a problem with the settlement of an order batch.',
  },
);
