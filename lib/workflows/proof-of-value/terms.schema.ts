import Type, { type Static } from 'typebox';
import { DECIMAL_PATTERN } from '#lib/core/decimal.ts';
import { Closed, Day, Line } from '#lib/core/schema.ts';
import { WorkflowKey } from '../definition.schema.ts';
import { directions, measures, objectives, statistics } from './proof-states.ts';

export const Value = (description: string, example: string) =>
  Type.String({ pattern: DECIMAL_PATTERN, maxLength: 24, description, examples: [example] });

export const Period = (description: string) =>
  Closed(
    { from: Day('The first day (UTC).'), to: Day('The day after the last day (UTC).') },
    { description },
  );

const Evidence = Type.String({ minLength: 1, maxLength: 256 });

/** The terms of a proof of value, as they are submitted. */
export const ProofRequest = Closed(
  {
    name: Line(200, 'The name.', 'Faster month end'),
    workflow_key: WorkflowKey,
    objective: Type.Enum([...objectives], {
      description:
        'The objective. `cost_reduction` and `time_saved` are judged by the median of the runs, `error_reduction` and `coverage` by the share of succeeded runs.',
    }),
    statistic: Type.Optional(
      Type.Enum([...statistics], { description: 'The statistic, which the objective determines.' }),
    ),
    measure: Type.Optional(
      Type.Enum([...measures], {
        description:
          'The figure that is measured of each run. `duration_seconds`: from its start to its end. `cost_minor`: its metered cost in minor units. `steps_waited_seconds`: the time that its steps waited for persons. Default: `cost_minor` for `cost_reduction`, and `duration_seconds` for `time_saved`. A share has no measure.',
      }),
    ),
    baseline: Closed(
      {
        metric: Line(100, 'The quantity that the baseline states.', 'Duration of the month end'),
        value: Value('The value of the baseline, as a decimal.', '5400'),
        unit: Line(40, 'The unit of the baseline.', 'seconds'),
        currency: Type.Optional(
          Type.String({
            pattern: '^[A-Z]{3}$',
            description: 'The currency of a cost, ISO 4217.',
            examples: ['EUR'],
          }),
        ),
        period: Period('When the baseline was measured.'),
        source_reference: Type.Optional({
          ...Evidence,
          description: 'Where the evidence of the baseline is stored. Required.',
          examples: ['tickets/2026-q3.csv'],
        }),
        source_hash: Type.Optional({
          ...Evidence,
          description:
            'The hash of the evidence of the baseline: SHA-256, or 8 to 256 visible characters. Required.',
          examples: ['98d5da92974eafbe88a943af42712ba423c8aa599f0d025ac1a20b926aff579c'],
        }),
        samples: Type.Optional(
          Type.Array(Value('A value.', '5312.5'), {
            minItems: 6,
            maxItems: 5_000,
            description: 'The individual values of the baseline, in the unit of the baseline.',
          }),
        ),
      },
      { description: 'The situation before the window, with its evidence.' },
    ),
    target: Closed(
      {
        value: Value('The value to reach, as a decimal. A share is from 0 to 1.', '3600'),
        direction: Type.Enum([...directions], {
          description:
            'Whether the statistic must be at most (`decrease`) or at least (`increase`) the value.',
        }),
      },
      { description: 'The value that must be reached.' },
    ),
    window: Period('The window: 1 to 366 days, from today (UTC) at the earliest.'),
    minimum_runs: Type.Integer({
      minimum: 1,
      maximum: 1_000,
      description: 'The number of runs below which there is no verdict.',
      examples: [20],
    }),
  },
  { title: 'ProofOfValueRequest', description: 'The terms of a proof of value.' },
);
export type ProofRequest = Static<typeof ProofRequest>;
