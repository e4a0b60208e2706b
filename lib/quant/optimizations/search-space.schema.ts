import Type, { type Static } from 'typebox';
import { Closed } from '#lib/core/schema.ts';
import { PARAMETER_PATTERN, ParameterValue } from '../strategies/parameter.schema.ts';
import { SEARCH_LIMITS } from './optimization-limits.ts';

const Bound = (description: string, example: number) =>
  Type.Number({ minimum: -1e15, maximum: 1e15, description, examples: [example] });

const ListAxis = Closed(
  {
    values: Type.Array(ParameterValue, {
      minItems: 1,
      maxItems: SEARCH_LIMITS.values,
      description: 'The values, 1 to 1,000, each once.',
      examples: [[21, 63, 126]],
    }),
  },
  { title: 'SearchValues', description: 'A list of values.' },
);

const RangeAxis = Closed(
  {
    low: Bound('Smallest value.', 10),
    high: Bound('Largest value.', 250),
    step: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        maximum: 1e15,
        description:
          'Step between neighbouring values, beginning at `low`. Not with `scale: log`. Default: none.',
        examples: [10],
      }),
    ),
    scale: Type.Optional(
      Type.Enum(['linear', 'log'], {
        description:
          'The scale of the values. `log` spreads them evenly over the logarithm. Default: `linear`.',
      }),
    ),
    integer: Type.Optional(Type.Boolean({ description: 'Whether the values are integers. Default: false.' })),
  },
  { title: 'SearchRange', description: 'A range of numbers.' },
);

/** The parameters that a search chooses, by name. */
export const SearchSpace = Type.Record(
  Type.String({ pattern: PARAMETER_PATTERN }),
  Type.Union([ListAxis, RangeAxis], { description: 'The values of a parameter.' }),
  {
    minProperties: 1,
    maxProperties: SEARCH_LIMITS.axes,
    description:
      'The parameters that the search chooses, each with its possible values; 1 to 20 parameters of the strategy.',
    examples: [{ lookback: { values: [21, 63, 126, 252] } }],
  },
);
export type SearchSpace = Static<typeof SearchSpace>;
