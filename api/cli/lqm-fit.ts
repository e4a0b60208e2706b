import type { Em } from '#lib/database/base.ts';
import type { LqmFamily } from '#lib/registry/lqm.ts';
import type { PredictionTask, SingleFit } from '#lib/registry/prediction.schema.ts';
import { ensembleOf, type PredictedColumns } from './lqm-members.ts';
import { Refusal } from '#lib/core/refusal.ts';
import { wholeNumber } from './whole-number.ts';

export type FitOptions = Partial<
  Record<'ridgeLambda' | 'lagsMax' | 'trees' | 'rate' | 'depth' | 'leafRowsMin' | 'bins' | 'members', string>
>;

/** How a model that predicts is fitted, as the options say it. */
export async function fitOf(
  em: Em,
  family: LqmFamily,
  options: FitOptions,
  of: PredictedColumns,
): Promise<PredictionTask['fit']> {
  if (family === 'ensemble')
    return ensembleOf(em, options.members, of, (single) => singleFit(single, options, of));
  return singleFit(family, options, of);
}

function singleFit(family: LqmFamily, options: FitOptions, { horizon }: PredictedColumns): SingleFit {
  if (family === 'ridge') {
    const { ridgeLambda: text } = options;
    return { family, lambda: text === undefined ? null : number('--ridge-lambda', text, [1e-6, 1e6]) };
  }
  if (family === 'var') {
    if (horizon === 0)
      throw new Refusal('horizon_invalid', 'a vector autoregression tells rows to come: --horizon 1 or more');
    return { family, lags_max: wholeNumber('--lags-max', options.lagsMax ?? '6', [1, 24]) };
  }
  if (family !== 'gbt') throw new Refusal('family_invalid', `${family} is no family that predicts by itself`);
  return {
    family,
    trees: wholeNumber('--trees', options.trees ?? '100', [1, 1_000]),
    rate: number('--rate', options.rate ?? '0.1', [0.001, 1]),
    depth: wholeNumber('--depth', options.depth ?? '3', [1, 8]),
    leaf_rows_min: wholeNumber('--leaf-rows-min', options.leafRowsMin ?? '20', [1, 10_000]),
    bins: wholeNumber('--bins', options.bins ?? '64', [2, 255]),
  };
}

function number(option: string, text: string, [least, most]: readonly [number, number]): number {
  const value = Number(text);
  if (text.trim() === '' || !(value >= least && value <= most))
    throw new Refusal('number_invalid', `${option} takes a number from ${least} to ${most}`);
  return value;
}
