import Type from 'typebox';
import { ASSETS_MAX } from './simulation-limits.ts';

const Asset = Type.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9_.:-]{0,63}$',
  description: 'Symbol or name of an asset.',
  examples: ['KO'],
});
export const Assets = (description: string) =>
  Type.Array(Asset, {
    minItems: 1,
    maxItems: ASSETS_MAX,
    uniqueItems: true,
    description,
    examples: [['KO', 'XOM']],
  });
