import type { Size } from '../bench.ts';
import { sampleMarket, syntheticMarket, type Market } from './market.ts';

export type FactorCase = { label: string; market(): Market; max: number; rounds: number };

const wide = { symbols: 5_000, months: 240, themes: 60 };
const small = { symbols: 60, months: 20, themes: 5 };
const SPARSE = 0.2;
const DENSE = 1;

/** The markets that the factor model is measured on, by key. */
export const factorCases: Record<Size, Record<string, FactorCase>> = {
  full: {
    sample: { label: 'sample (case A)', market: sampleMarket, max: SPARSE, rounds: 21 },
    sparse: {
      label: '5,000 x 240 x 60, 4 themes a symbol',
      market: () => syntheticMarket({ ...wide, themesPerSymbol: 4 }),
      max: SPARSE,
      rounds: 5,
    },
    dense: {
      label: '5,000 x 240 x 60, all themes',
      market: () => syntheticMarket({ ...wide, themesPerSymbol: 60 }),
      max: DENSE,
      rounds: 5,
    },
  },
  tiny: {
    tiny: {
      label: '60 x 20 x 5, 2 themes a symbol',
      market: () => syntheticMarket({ ...small, themesPerSymbol: 2 }),
      max: SPARSE,
      rounds: 2,
    },
  },
};
