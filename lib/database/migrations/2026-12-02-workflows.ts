import { Migration } from '@mikro-orm/migrations';
import { OF_TENANT, tenantPolicy } from './tenant-policy.ts';

const TENANT = `
  workspace_uid text not null references workspace,
  environment text not null check (environment in ('sandbox', 'production'))`;

/** Workflows with their versions, what was decided about starting them, their runs, and what those cost. */
export class Workflows extends Migration {
  override up(): void {
    this.#versions();
    this.#admissions();
    this.#runs();
    this.#costs();
    for (const table of [
      'workflow_version',
      'workflow_admission',
      'workflow_run',
      'workflow_step',
      'workflow_step_run',
      'workflow_meter',
      'workflow_rate',
      'finops_policy',
    ]) {
      this.addSql(tenantPolicy(table));
    }
    this.addSql(
      tenantPolicy('workflow_watch', `${OF_TENANT} or (select app_is_operator() or app_is_worker())`),
    );
  }

  #versions(): void {
    this.addSql(`
      create table workflow_version (
        uid text collate "C" primary key, ${TENANT},
        key text not null,
        version integer not null check (version > 0),
        digest text not null check (digest ~ '^[0-9a-f]{64}$'),
        definition jsonb not null,
        state text not null check (state in ('proposed', 'published', 'superseded', 'withdrawn')),
        proposed_by_uid text not null references person,
        published_by_uid text references person,
        created_at timestamptz not null,
        published_at timestamptz,
        ended_at timestamptz,
        unique (workspace_uid, environment, key, version),
        unique (uid, digest),
        check ((published_by_uid is null) = (published_at is null)),
        check (state not in ('published', 'superseded') or published_by_uid is not null),
        check (published_by_uid is distinct from proposed_by_uid)
      );
      create unique index workflow_published on workflow_version (workspace_uid, environment, key)
        where state = 'published';
    `);
  }

  #admissions(): void {
    this.addSql(`
      create table workflow_admission (
        uid text collate "C" primary key, ${TENANT},
        at timestamptz not null,
        expires_at timestamptz not null,
        version_uid text not null,
        workflow_key text not null,
        workflow_version integer not null,
        digest text not null,
        application_uid text not null references application,
        trigger text not null check (trigger in ('manual')),
        requested_by jsonb not null,
        decision text not null
          check (decision in ('admitted', 'denied', 'admitted_with_conditions', 'not_evaluated_denied')),
        conditions jsonb not null,
        refusals jsonb not null,
        policy_decision_uid text,
        policy_set_hash text,
        inputs_hash text not null,
        evaluated_ms double precision not null check (evaluated_ms >= 0),
        decision_hash text not null,
        foreign key (version_uid, digest) references workflow_version (uid, digest),
        check (decision <> 'admitted' or jsonb_array_length(conditions) = 0),
        check (decision in ('denied', 'not_evaluated_denied') or policy_decision_uid is not null)
      );
      create index on workflow_admission (workspace_uid, environment, uid desc);
    `);
  }

  #runs(): void {
    this.addSql(`
      create table workflow_run (
        uid text collate "C" primary key, ${TENANT},
        admission_uid text not null unique references workflow_admission,
        version_uid text not null references workflow_version,
        workflow_key text not null,
        application_uid text not null references application,
        requested_by_uid text not null references person,
        parameters jsonb not null,
        inputs_hash text not null,
        state text not null check (state in
          ('queued', 'running', 'waiting_approval', 'succeeded', 'failed', 'cancelled', 'timed_out')),
        error_code text,
        outputs_hash text,
        created_at timestamptz not null,
        deadline_at timestamptz not null,
        started_at timestamptz,
        ended_at timestamptz,
        check ((state in ('succeeded', 'failed', 'cancelled', 'timed_out')) = (ended_at is not null)),
        check ((state = 'succeeded') = (outputs_hash is not null))
      );
      create index on workflow_run (workspace_uid, environment, uid desc);

      -- An admission starts one run, of what was admitted, while it lasts.
      create function consume_workflow_admission() returns trigger language plpgsql as $$
      begin
        if not exists (
          select from workflow_admission a
          where a.uid = new.admission_uid and a.workspace_uid = new.workspace_uid and a.environment = new.environment
            and a.version_uid = new.version_uid and a.application_uid = new.application_uid
            and a.inputs_hash = new.inputs_hash and a.decision in ('admitted', 'admitted_with_conditions')
            and a.expires_at > new.created_at and a.expires_at > now()
        ) then
          raise check_violation using message = 'a run of a workflow starts by a live admission of its own';
        end if;
        return new;
      end $$;
      create trigger consumed before insert on workflow_run for each row execute function consume_workflow_admission();

      create table workflow_step (
        run_uid text collate "C" not null references workflow_run,
        position integer not null check (position >= 0),
        ${TENANT},
        key text not null,
        state text not null check (state in
          ('pending', 'running', 'waiting_approval', 'succeeded', 'failed', 'cancelled')),
        attempts integer not null default 0 check (attempts >= 0),
        not_before timestamptz,
        job_uid text references run,
        output jsonb,
        output_hash text,
        error_code text,
        decided_by_uid text references person,
        started_at timestamptz,
        ended_at timestamptz,
        primary key (run_uid, position),
        unique (run_uid, key),
        check ((state in ('succeeded', 'failed', 'cancelled')) = (ended_at is not null))
      );
      -- The runs of the pipeline that steps asked for.
      create table workflow_step_run (
        job_uid text primary key references run,
        run_uid text collate "C" not null references workflow_run,
        step_key text not null,
        attempt integer not null check (attempt > 0),
        ${TENANT},
        unique (run_uid, step_key, attempt)
      );
      -- Runs that somebody has to look at again. It holds no customer data: workers see all of them.
      create table workflow_watch (
        run_uid text primary key references workflow_run, ${TENANT},
        look_at timestamptz not null
      );
      create index on workflow_watch (look_at);
    `);
  }

  #costs(): void {
    this.addSql(`
      create table workflow_rate (
        uid text collate "C" primary key, ${TENANT},
        currency text not null,
        compute_second_micro bigint not null check (compute_second_micro >= 0),
        set_by_uid text not null references person,
        since timestamptz not null
      );
      create index on workflow_rate (workspace_uid, environment, since desc);
      -- One row for a run of the pipeline, however often its end is told.
      create table workflow_meter (
        job_uid text primary key references workflow_step_run, ${TENANT},
        run_uid text collate "C" not null references workflow_run,
        workflow_key text not null,
        metered_at timestamptz not null,
        compute_ms bigint not null check (compute_ms >= 0),
        rate_uid text references workflow_rate,
        currency text,
        cost_micro bigint check (cost_micro >= 0),
        check ((rate_uid is null) = (cost_micro is null) and (rate_uid is null) = (currency is null))
      );
      create index on workflow_meter (workspace_uid, environment, metered_at);
      create index on workflow_meter (run_uid);
      create table finops_policy (
        uid text collate "C" primary key, ${TENANT},
        version integer not null check (version > 0),
        body jsonb not null,
        policy_hash text not null,
        updated_at timestamptz not null,
        updated_by_uid text not null references application,
        unique (workspace_uid, environment, version)
      );
    `);
  }
}
