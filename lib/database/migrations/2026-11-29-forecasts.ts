import { Migration } from '@mikro-orm/migrations';
import { builtInModel } from './built-in-model.ts';
import { OF_TENANT, tenantPolicy } from './tenant-policy.ts';

/** The model of forecasts, batches of them, and runs that let all others of their workspace go before. */
export class Forecasts extends Migration {
  override up(): void {
    this.addSql(
      builtInModel(
        'svc_forecast_combination_v1',
        '1.0.0',
        'Forecast of a series as a combination of methods, weighed by their errors at rolling origins of its past.',
      ),
    );
    this.#backgroundRuns();
    this.#batches();
    this.#scores();
  }

  #backgroundRuns(): void {
    this.addSql(`
      alter table dispatch add column background boolean not null default false;
      create index dispatch_waiting on dispatch (queue, workspace_uid, background, run_uid) where tag is null;

      create or replace function admit_runs(of_queue text, of_workspace text, limits jsonb)
      returns table (run_uid text, workspace_uid text, environment text, kind text, tag integer)
      language plpgsql security definer set search_path = public, pg_temp as $$
      declare
        room integer;
        last_tag integer;
        virtual_time integer;
      begin
        if of_workspace is distinct from app_workspace() and session_user <> current_database() || '_worker' then
          raise insufficient_privilege using message = 'another workspace''s runs cannot be admitted';
        end if;
        perform pg_advisory_xact_lock(hashtextextended('admission ' || of_queue || ' ' || of_workspace, 0));
        if not exists (select from dispatch d where d.queue = of_queue and d.workspace_uid = of_workspace and d.tag is null) then
          return;
        end if;
        select (limits ->> w.service_class)::integer into strict room from workspace w where w.uid = of_workspace;
        select room - count(*), coalesce(max(d.tag), 0) into room, last_tag
          from dispatch d where d.queue = of_queue and d.workspace_uid = of_workspace and d.tag is not null;
        if room <= 0 then
          return;
        end if;
        select greatest(
            coalesce(max(d.tag) filter (where d.started_at is not null), 0),
            coalesce(min(d.tag) filter (where d.started_at is null) - 1, 0)
          ) into virtual_time
          from dispatch d where d.queue = of_queue and d.tag is not null;
        return query
          update dispatch d set tag = greatest(virtual_time, last_tag) + next.place, admitted_at = now()
          from (
            select n.run_uid, row_number() over (order by n.background, n.run_uid)::integer as place
            from dispatch n where n.queue = of_queue and n.workspace_uid = of_workspace and n.tag is null
            order by n.background, n.run_uid limit room
          ) next
          where d.run_uid = next.run_uid
          returning d.run_uid, d.workspace_uid, d.environment, d.kind, d.tag;
      end $$;
    `);
  }

  #batches(): void {
    this.addSql(`
      create table forecast_batch (
        uid text collate "C" primary key,
        workspace_uid text not null references workspace,
        environment text not null check (environment in ('sandbox', 'production')),
        application_uid text not null references application,
        request_id text not null,
        reason text,
        options jsonb not null,
        items integer not null check (items between 1 and 5000),
        created_at timestamptz not null,
        cancelled_at timestamptz
      );
      create index on forecast_batch (workspace_uid, environment, uid desc);
      -- What cannot be asked has a problem in the place of a run.
      create table forecast_batch_item (
        batch_uid text collate "C" not null references forecast_batch,
        position integer not null check (position >= 0),
        workspace_uid text not null references workspace,
        environment text not null check (environment in ('sandbox', 'production')),
        metric text not null,
        company_id integer,
        horizon integer not null,
        run_uid text references run,
        problem jsonb,
        primary key (batch_uid, position),
        check ((run_uid is null) = (problem is not null))
      );
      create unique index on forecast_batch_item (run_uid);
    `);
    for (const table of ['forecast_batch', 'forecast_batch_item']) this.addSql(tenantPolicy(table));
  }
  #scores(): void {
    this.addSql(`
      create table forecast_score (
        run_uid text primary key references run,
        workspace_uid text not null references workspace,
        environment text not null check (environment in ('sandbox', 'production')),
        score jsonb not null,
        scored_at timestamptz not null
      );
      -- Sealed forecasts for whose values one waits.
      create table forecast_watch (
        run_uid text primary key references run,
        workspace_uid text not null references workspace,
        environment text not null check (environment in ('sandbox', 'production')),
        look_at timestamptz not null
      );
      create index on forecast_watch (look_at);
      create function watch_forecast() returns trigger language plpgsql as $$
      begin
        insert into forecast_watch (run_uid, workspace_uid, environment, look_at)
        values (new.run_uid, new.workspace_uid, new.environment, now()) on conflict do nothing;
        return null;
      end $$;
      create trigger watched after insert on run_result for each row
        when (new.run_uid like 'fct\\_%') execute function watch_forecast();
    `);
    this.addSql(tenantPolicy('forecast_score'));
    this.addSql(
      tenantPolicy('forecast_watch', `${OF_TENANT} or (select app_is_operator() or app_is_worker())`),
    );
  }
}
