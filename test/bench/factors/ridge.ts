import { monthCoverages } from '#lib/investment/theme-factors/cross-sections.ts';
import { themeRegression } from '#lib/investment/theme-factors/theme-regression.ts';
import { exactGram } from '#lib/numerics/exact-gram.ts';
import { readRegressions } from './handover.ts';
import { serveRounds } from './serve-rounds.ts';

/**
 * Measures the regression step of the model alone: Gram matrix, coverage, winsorizing, ridge, residuals,
 * index returns.
 */
const [dataPath, resultPath] = process.argv.slice(2) as [string, string];
const { sections, lambda, minimumSymbols } = readRegressions(dataPath);
const { months, symbols, exposures } = sections;
const width = exposures.columns + 1;

await serveRounds(() => {
  const whole = exactGram(exposures);
  const coverages = monthCoverages(sections, { wholeCounts: whole.counts, minimumSymbols });
  const residuals = new Float64Array(symbols * months).fill(Number.NaN);
  const regress = themeRegression(sections, { whole, lambda, residuals });
  const estimates = new Float64Array(months * width).fill(Number.NaN);
  coverages.forEach((coverage, t) => {
    const verdict = coverage.valid ? regress(t, coverage) : undefined;
    if (!verdict?.ok) return;
    estimates[t * width] = verdict.fit.estimate.intercept;
    estimates.set(verdict.fit.factorReturns, t * width + 1);
  });
  return estimates;
}, resultPath);
