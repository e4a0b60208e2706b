import { Migration } from '@mikro-orm/migrations';

/** Workers forget what agents called, of all workspaces, when its time is over. */
export class AgentInvocationRetention extends Migration {
  override up(): void {
    this.addSql(`
      create index on agent_invocation (at);
      create policy found_by_workers on agent_invocation for select using ((select app_is_worker()));
      create policy forgotten_by_workers on agent_invocation for delete using ((select app_is_worker()));
    `);
  }
}
