import { Migration } from '@mikro-orm/migrations';
import { OF_TENANT, tenantPolicy } from './tenant-policy.ts';

const TENANT = `
  workspace_uid text not null references workspace,
  environment text not null check (environment in ('sandbox', 'production'))`;

/** What a step of a workflow may import into. */
const imported = [
  'dataset_import',
  'instrument',
  'instrument_version',
  'price',
  'corporate_action',
  'fundamental',
  'economic_series',
  'economic_observation',
  'company_metric',
  'numeric_version',
  'numeric_row',
];

/** Starts of workflows by the clock, files that their steps import, and what is told of their budgets. */
export class WorkflowStarts extends Migration {
  override up(): void {
    this.#schedules();
    this.#files();
    this.#costs();
  }

  #schedules(): void {
    this.addSql(`
      create table workflow_schedule (
        uid text collate "C" primary key, ${TENANT},
        workflow_key text not null,
        application_uid text not null references application,
        parameters jsonb not null,
        every_seconds integer check (every_seconds between 60 and 31622400),
        cron text,
        time_zone text not null,
        state text not null check (state in ('active', 'suspended', 'removed')),
        set_by_uid text not null references person,
        set_at timestamptz not null,
        due_at timestamptz not null,
        look_at timestamptz not null,
        last_due_at timestamptz,
        last_outcome text check (last_outcome in ('started', 'denied', 'still_open')),
        last_missed integer not null default 0 check (last_missed >= 0),
        last_admission_uid text references workflow_admission,
        last_run_uid text references workflow_run,
        check ((every_seconds is null) <> (cron is null))
      );
      create index on workflow_schedule (look_at) where state = 'active';
    `);
    // Workers have to find out in all workspaces what is due.
    this.addSql(
      tenantPolicy('workflow_schedule', `${OF_TENANT} or (select app_is_operator() or app_is_worker())`),
    );
    this.addSql(`
      alter table workflow_admission drop constraint workflow_admission_trigger_check;
      alter table workflow_admission add constraint workflow_admission_trigger_check
        check (trigger in ('manual', 'schedule')) not valid;
      alter table workflow_admission validate constraint workflow_admission_trigger_check;

      -- An admission starts one run, of what was admitted, while it lasts and the version can still be run.
      create or replace function consume_workflow_admission() returns trigger language plpgsql as $$
      begin
        if not exists (
          select from workflow_admission a join workflow_version v on v.uid = a.version_uid
          where a.uid = new.admission_uid and a.workspace_uid = new.workspace_uid and a.environment = new.environment
            and a.version_uid = new.version_uid and a.application_uid = new.application_uid
            and a.inputs_hash = new.inputs_hash and a.decision in ('admitted', 'admitted_with_conditions')
            and a.expires_at > new.created_at and a.expires_at > now() and v.state = 'published'
        ) then
          raise check_violation using message = 'a run of a workflow starts by a live admission of its own';
        end if;
        return new;
      end $$;
    `);
  }

  #files(): void {
    this.addSql(`
      create table workflow_file (
        uid text collate "C" primary key, ${TENANT},
        feed text,
        name text not null,
        sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
        bytes bigint not null check (bytes > 0),
        kept_by_uid text not null references person,
        kept_at timestamptz not null,
        removed_at timestamptz check (removed_at >= kept_at)
      );
      create index on workflow_file (workspace_uid, environment, feed, uid desc);
      create table workflow_file_chunk (
        file_uid text collate "C" not null references workflow_file,
        position integer not null check (position >= 0),
        ${TENANT},
        content bytea not null,
        primary key (file_uid, position)
      );
    `);
    for (const table of ['workflow_file', 'workflow_file_chunk']) this.addSql(tenantPolicy(table));
    // What workers import belongs to the workspace that they work for, whatever else it may read.
    for (const table of imported) {
      this.addSql(`
        create policy of_own_dataset on ${table} as restrictive for insert with check (
          (select not app_is_worker())
          or dataset_id in (select d.id from dataset d where d.workspace_uid = (select app_workspace())));
      `);
    }
    this.addSql(`
      create policy of_own_workspace on dataset as restrictive for update using (
        (select not app_is_worker()) or workspace_uid = (select app_workspace()));
    `);
  }

  #costs(): void {
    this.addSql(`
      -- A step that has no run of the pipeline is metered as itself.
      alter table workflow_meter drop constraint workflow_meter_pkey;
      alter table workflow_meter alter column job_uid drop not null;
      alter table workflow_meter add column step_key text;
      alter table workflow_meter add unique (job_uid);
      alter table workflow_meter add unique (run_uid, step_key);
      alter table workflow_meter add check ((job_uid is null) = (step_key is not null));

      -- A share of a budget is reached once a month, however often that is noticed.
      create table workflow_budget_crossing (
        ${TENANT},
        month date not null,
        scope text not null,
        threshold_pct integer not null,
        budget_minor bigint not null,
        currency text not null,
        cost_basis text not null,
        crossed_at timestamptz not null,
        primary key (workspace_uid, environment, month, scope, threshold_pct, budget_minor, currency, cost_basis)
      );
    `);
    this.addSql(tenantPolicy('workflow_budget_crossing'));
  }
}
