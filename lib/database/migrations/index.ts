import { readdirSync, readFileSync } from 'node:fs';
import { Migration } from '@mikro-orm/migrations';
import { Baseline } from './0001-baseline.ts';

type Step = {
  /** Its number and what it is about: `0002-economic-calendar`. */
  name: string;
  class: new (...given: ConstructorParameters<typeof Migration>) => Migration;
  /** The release since which no code needs what this migration takes away; without it a migration only adds. */
  contracts?: string;
};

const folder = new URL('./', import.meta.url);

/** Every migration in order: the baseline, then the SQL files of this folder. A name, once released, is never changed. */
export const migrations: Step[] = [
  { name: '0001-baseline', class: Baseline },
  ...readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .toSorted((one, other) => (one < other ? -1 : 1))
    .map((file) => stepOf(file.slice(0, -'.sql'.length), readFileSync(new URL(file, folder), 'utf8'))),
];

/** A step whose file begins with `-- contracts: 0.3.0` takes away what no code needs since that release. */
export function stepOf(name: string, sql: string): Step {
  const contracts = /^-- contracts: (\S+)$/m.exec(sql)?.[1];
  class Statements extends Migration {
    override up(): void {
      this.addSql(sql);
    }
  }
  return { name, class: Statements, ...(contracts === undefined ? {} : { contracts }) };
}
