import { readdirSync, readFileSync } from 'node:fs';
import { Migration } from '@mikro-orm/migrations';
import { Baseline } from './0001-baseline.ts';

type Step = {
  /** The name of a migration: its number and its subject, such as `0002-economic-calendar`. */
  name: string;
  class: new (...given: ConstructorParameters<typeof Migration>) => Migration;
  /**
   * The release since which no code needs the parts that this migration removes; undefined if the migration only adds
   * parts.
   */
  contracts?: string;
};

const folder = new URL('./', import.meta.url);

/** Every migration in order: the baseline, then the SQL files of this folder. A released name never changes. */
export const migrations: Step[] = [
  { name: '0001-baseline', class: Baseline },
  ...readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .toSorted((one, other) => (one < other ? -1 : 1))
    .map((file) => stepOf(file.slice(0, -'.sql'.length), readFileSync(new URL(file, folder), 'utf8'))),
];

/**
 * Reads a migration. A file that begins with `-- contracts: 0.3.0` removes parts that no code has needed
 * since that release.
 */
export function stepOf(name: string, sql: string): Step {
  const contracts = /^-- contracts: (\S+)$/m.exec(sql)?.[1];
  class Statements extends Migration {
    override up(): void {
      this.addSql(sql);
    }
  }
  return { name, class: Statements, ...(contracts === undefined ? {} : { contracts }) };
}
