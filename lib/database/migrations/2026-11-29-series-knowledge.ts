import { Migration } from '@mikro-orm/migrations';

/** What is said of an economic series may state since when it was known; without it, since it was recorded. */
export class SeriesKnowledge extends Migration {
  override up(): void {
    this.addSql('alter table economic_series add column known_at timestamptz');
  }
}
