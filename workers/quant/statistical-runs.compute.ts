import { runStatistical } from '#lib/quant/models/run-statistical.ts';
import type { ComputationOf } from '../process/runner.ts';
import type runner from './statistical-runs.ts';

export const compute: ComputationOf<typeof runner> = (input, data) => runStatistical(input, data);
