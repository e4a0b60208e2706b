import { themeFactors } from '#lib/investment/theme-factors/theme-factors.ts';
import type { Size } from '../bench.ts';
import { factorCases } from './cases.ts';
import { serveRounds } from './serve-rounds.ts';

/** Runs the whole model, from decimal texts and dates to statistics, hashes, indices and risk. */
const [size, key] = process.argv.slice(2) as [Size, string];
const { request, data } = factorCases[size][key]!.market();

await serveRounds(() => {
  const outcome = themeFactors(request, data);
  if (!outcome.ok) throw new Error(outcome.refusal.detail);
  return undefined;
}, undefined);
