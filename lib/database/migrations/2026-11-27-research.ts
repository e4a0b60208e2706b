import { Migration } from '@mikro-orm/migrations';
import { builtInModel } from './built-in-model.ts';
import { workspacePolicy } from './tenant-policy.ts';

/** Research projects with versioned definitions, and the models of snapshots and experiments. */
export class Research extends Migration {
  override up(): void {
    this.addSql(`
      create table research_project (
        id integer generated always as identity primary key,
        uid text not null unique,
        workspace_uid text not null references workspace,
        name text not null,
        created_by_uid text not null references person,
        created_at timestamptz not null,
        unique (workspace_uid, name)
      );
      create index on research_project (workspace_uid, uid desc);
      create table project_version (
        uid text primary key,
        project_id integer not null references research_project,
        workspace_uid text not null references workspace,
        version integer not null check (version > 0),
        definition jsonb not null,
        definition_sha256 text not null,
        created_by_uid text not null references person,
        created_at timestamptz not null,
        unique (project_id, version)
      );
      -- What a run pins: the last revision of a version in one look, although it may have millions of values.
      create index feature_value_revision on feature_value (feature_version_id, revision);
      create index run_result_content on run_result (workspace_uid, environment, result_hash);
    `);
    this.addSql(workspacePolicy('research_project'));
    this.addSql(workspacePolicy('project_version'));
    this.addSql(
      builtInModel(
        'svc_research_snapshot_v1',
        '1.0.0',
        'Feature matrix as it was known at the end of a day, under a root over the hashes of its columns.',
      ),
    );
    this.addSql(
      builtInModel(
        'svc_feature_experiment_v1',
        '1.0.0',
        'Information coefficients, quantile spreads, turnover and correlations of features on sealed snapshots.',
      ),
    );
  }
}
