export const ASSETS_MAX = 50;
export const HORIZON = { min: 1, max: 600 };
export const PATHS = { min: 1_000, max: 10_000_000, default: 10_000 };
/** Maximum product of paths, months and assets of a simulation. */
export const CELLS_MAX = 12_000_000_000;
/** Minimum number of months of a history. */
export const MONTHS_MIN = 24;
export const BLOCK_MAX = 120;
export const INITIAL_DEFAULT_MINOR = 100_000_000;
export const FLOWS_MAX = 50;
export const GOALS_MAX = 20;
export const GLIDE_MAX = 60;
export const BAND_DEFAULT = 0.05;
export const DEGREES = { min: 3, max: 80, default: 6 };
export const INFLATION = { min: -0.5, max: 1 };
export const INFLATION_YEARS = { min: 1, max: 50, default: 10 };
/** Maximum number of months of the history of a portfolio. */
export const PORTFOLIO_MONTHS_MAX = 1_200;
