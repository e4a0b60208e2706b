import { Migration } from '@mikro-orm/migrations';

/** Writes the summaries of runs that are there already. It has a transaction of its own, so that readers do not wait. */
export class RunSummaries extends Migration {
  override up(): void {
    this.addSql(`
      do $$
      declare tenant record;
      begin
        for tenant in
          select w.uid, e.environment from workspace w, unnest(array['sandbox', 'production']) e (environment)
        loop
          perform set_config('app.workspace', tenant.uid, true), set_config('app.environment', tenant.environment, true);
          update run set summary = run_summary(input)
          where workspace_uid = tenant.uid and environment = tenant.environment and summary is null;
        end loop;
        perform set_config('app.workspace', '', true), set_config('app.environment', '', true);
      end $$;
    `);
  }
}
