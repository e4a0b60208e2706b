import { Migration } from '@mikro-orm/migrations';

/** Evidence of executions is looked up by the document that it comes from, in all batches of a tenant. */
export class ExecutionSources extends Migration {
  override up(): void {
    this.addSql(`
      create index custody_observation_source
        on custody_observation (workspace_uid, environment, source_reference);
      create index trade_confirmation_document
        on trade_confirmation (workspace_uid, environment, source_hash);
    `);
  }
}
