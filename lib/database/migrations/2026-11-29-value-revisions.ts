import { Migration } from '@mikro-orm/migrations';

/** The last revision of the values of a version is asked for by each snapshot and each step of a materialisation. */
export class ValueRevisions extends Migration {
  override up(): void {
    this.addSql('create index on feature_value (feature_version_id, revision)');
  }
}
