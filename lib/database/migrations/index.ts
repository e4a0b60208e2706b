import type { Migration } from '@mikro-orm/migrations';
import { Baseline } from './0001-baseline.ts';

type Step = {
  /** Its number and what it is about: `0002-economic-calendar`. */
  name: string;
  class: new (...given: ConstructorParameters<typeof Migration>) => Migration;
  /** The release since which no code needs what this migration takes away; without it a migration only adds. */
  contracts?: string;
};

/** Every migration in order. A name, once released, is never changed. */
export const migrations: Step[] = [{ name: '0001-baseline', class: Baseline }];
