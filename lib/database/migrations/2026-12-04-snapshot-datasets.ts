import { Migration } from '@mikro-orm/migrations';

/** Contents of numeric datasets that were put together from sealed research snapshots name them. */
export class SnapshotDatasets extends Migration {
  override up(): void {
    this.addSql('alter table numeric_version add column snapshots json');
  }
}
