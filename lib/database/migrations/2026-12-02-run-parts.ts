import { Migration } from '@mikro-orm/migrations';
import { tenantPolicy } from './tenant-policy.ts';

/** What workers have computed of runs that are divided among them. It goes with the note of dispatch, however a run ends. */
export class RunParts extends Migration {
  override up(): void {
    this.addSql(`
      create unlogged table run_part (
        run_uid text not null references dispatch on delete cascade,
        workspace_uid text not null references workspace,
        environment text not null,
        first_sample integer not null,
        samples integer not null check (samples > 0),
        content bytea not null,
        primary key (run_uid, first_sample, samples)
      );
      alter table run_part alter column content set storage external;
    `);
    this.addSql(tenantPolicy('run_part'));
  }
}
