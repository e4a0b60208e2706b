import { forecastRound } from '#lib/quant/tournaments/rounds/forecast-round.ts';
import type { ComputationOf } from '../process/runner.ts';
import type runner from './tournament-rounds.ts';

export const compute: ComputationOf<typeof runner> = (input, data) => forecastRound(input, data);
