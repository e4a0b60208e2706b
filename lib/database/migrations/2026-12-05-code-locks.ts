import { Migration } from '@mikro-orm/migrations';

/** Wrong one-time codes, which lock a person's codes for a while. */
export class CodeLocks extends Migration {
  override up(): void {
    this.addSql(`
      alter table person_code
        add column wrong_at text[] not null default '{}' check (cardinality(wrong_at) <= 5),
        add column locked_until timestamptz;
    `);
  }
}
