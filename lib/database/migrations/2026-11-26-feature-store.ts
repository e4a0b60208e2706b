import { Migration } from '@mikro-orm/migrations';

/**
 * What is told of a moment of knowledge can be told anew: a late observation that counts as known in the past changes
 * what a feature was then, in a row of a later revision.
 */
export class FeatureStore extends Migration {
  override up(): void {
    this.addSql(`
      alter table feature_value drop constraint feature_value_pkey,
        add primary key (feature_version_id, entity, event_time, known_at, revision) include (value, withdrawn);
    `);
  }
}
