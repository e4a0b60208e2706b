import { Migration } from '@mikro-orm/migrations';
import { builtInModel } from './built-in-model.ts';
import { tenantPolicy } from './tenant-policy.ts';

/** Numeric models of a workspace in versions, what became of each, and which one serves. */
export class NumericModels extends Migration {
  override up(): void {
    this.addSql(`
      create table lqm_model (
        uid text primary key,
        workspace_uid text not null references workspace,
        environment text not null,
        key text not null,
        name text not null,
        family text not null check (family in ('regime_ghmm')),
        created_by_uid text not null references person,
        created_at timestamptz not null,
        unique (workspace_uid, environment, key)
      );
      create index on lqm_model (workspace_uid, environment, uid desc);
      create table lqm_version (
        uid text primary key,
        workspace_uid text not null references workspace,
        environment text not null,
        model_uid text not null references lqm_model,
        version integer not null check (version > 0),
        definition jsonb not null,
        content_hash text not null,
        author_uid text not null references person,
        created_at timestamptz not null,
        evaluation_uid text references run,
        checkpoint_hash text,
        approved_by_uid text references person,
        approved_at timestamptz,
        retired_by_uid text references person,
        retired_at timestamptz,
        retired_reason text,
        unique (model_uid, version),
        check ((approved_at is null) = (approved_by_uid is null) and (approved_at is null) = (evaluation_uid is null)
          and (approved_at is null) = (checkpoint_hash is null)),
        check ((retired_at is null) = (retired_by_uid is null)),
        check (approved_by_uid is distinct from author_uid)
      );
      create table lqm_serving (
        id bigint generated always as identity primary key,
        workspace_uid text not null references workspace,
        environment text not null,
        purpose text not null check (purpose in ('generative')),
        version_uid text references lqm_version,
        set_by_uid text not null references person,
        since timestamptz not null
      );
      create index on lqm_serving (workspace_uid, environment, purpose, id desc);
      create index run_lqm_version on run ((input ->> 'version_uid')) where kind like 'modeling.%';
    `);
    for (const table of ['lqm_model', 'lqm_version', 'lqm_serving']) this.addSql(tenantPolicy(table));
    this.addSql(
      builtInModel(
        'svc_model_training_v1',
        '1.0.0',
        'Trains a numeric model on a governed dataset, to a checkpoint.',
      ),
    );
    this.addSql(
      builtInModel(
        'svc_model_evaluation_v1',
        '1.0.0',
        'Evaluates a checkpoint on months that it was not fitted on.',
      ),
    );
    this.addSql(
      builtInModel(
        'svc_scenarios_v1',
        '1.0.0',
        'Seeded scenarios of an approved model, by regime and under stress.',
      ),
    );
  }
}
