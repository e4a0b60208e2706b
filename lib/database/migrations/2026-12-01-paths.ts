import { Migration } from '@mikro-orm/migrations';
import { builtInModel } from './built-in-model.ts';
import { tenantPolicy } from './tenant-policy.ts';

/** The model that draws paths, and the matrices of samples that are kept with runs. */
export class Paths extends Migration {
  override up(): void {
    this.addSql(`
      create table run_matrix (
        run_uid text primary key references run,
        workspace_uid text not null references workspace,
        environment text not null,
        content bytea not null check (octet_length(content) <= 16777216)
      );
      alter table run_matrix alter column content set storage external;
    `);
    this.addSql(tenantPolicy('run_matrix'));
    this.addSql(
      builtInModel(
        'svc_paths_v1',
        '1.0.0',
        'Seeded paths of several months of an approved model, with its changes of regime.',
      ),
    );
  }
}
