import Type, { type Static } from 'typebox';
import { Closed, Nullable } from '#lib/core/schema.ts';
import { MATRIX_SYMBOLS_MAX } from './construction-limits.ts';
import { Symbol } from './construction-members.schema.ts';

/** The covariance matrix of a construction: the content whose hash is `covariance_sha256`. */
export const Covariance = Closed(
  {
    symbols: Type.Array(Symbol, {
      maxItems: MATRIX_SYMBOLS_MAX,
      description: 'Symbols of the rows and of the columns, in code-unit order.',
      examples: [['AAPL', 'KO']],
    }),
    covariance: Type.Array(
      Type.Array(Type.Number(), { maxItems: MATRIX_SYMBOLS_MAX, description: 'A row.' }),
      {
        maxItems: MATRIX_SYMBOLS_MAX,
        description: 'Covariances of the annual returns, fractions squared, by rows.',
        examples: [
          [
            [0.0841, 0.0122],
            [0.0122, 0.0289],
          ],
        ],
      },
    ),
  },
  {
    title: 'ConstructionCovariance',
    description: 'The annual covariance matrix of a construction.',
  },
);
export type Covariance = Static<typeof Covariance>;

/** The attachment of a run. */
export const KeptCovariance = {
  ...Nullable(
    Covariance,
    `The annual covariance matrix, whose hash is \`covariance_sha256\`; null above ${MATRIX_SYMBOLS_MAX} symbols.`,
  ),
  examples: [{ symbols: ['AAPL'], covariance: [[0.0841]] }],
};
