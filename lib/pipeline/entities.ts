import { Dispatch, Run, RunResult } from './run.entity.ts';

/** The entities of this folder's tables. */
export const entities = [Run, RunResult, Dispatch];
