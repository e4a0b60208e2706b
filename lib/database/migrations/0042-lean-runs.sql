-- contracts: 0.1.0
-- Less work in the database for each run and each request, with the same guarantees. Code of release 0.1.0 needs none of
-- the removed parts: it uses columns by their names, and functions keep their signatures and meaning. The migration
-- rewrites the table `run`, during which no other transaction can use it.

-- The statements of a run and of the admission of a request touch few rows. For them, a condition that is evaluated for
-- each row costs less than a subquery that is prepared for each statement. The condition on the tenant comes first, so
-- the roles of other processes are compared only for rows of other tenants.
do $$
  declare
    own text := '(workspace_uid = app_workspace() and environment = app_environment())';
    own_key text := own || ' or (%I = nullif(current_setting(''app.key_id'', true), ''''))';
    awake text := '(workspace_uid = any (array(select m.workspace_uid from workspace_move m))) is not true';
    each record;
  begin
    for each in
      select * from (values
        ('run', own || ' or app_is_operator()'),
        ('run_result', own || ' or app_is_operator()'),
        ('run_reference', own || ' or app_is_operator()'),
        ('audit_entry', own || ' or app_is_operator()'),
        ('application', own || ' or app_is_operator()'),
        ('production_access', own || ' or app_is_operator()'),
        ('audit_pending', own || ' or app_is_operator() or app_is_worker()'),
        ('dispatch', own || ' or app_is_operator() or app_is_worker() or app_is_owner()'),
        ('credential', format(own_key, 'key_id') || ' or app_is_operator()'),
        ('model_alias', 'workspace_uid is null or workspace_uid = app_workspace() or app_is_operator()')
      ) as conditions (name, condition)
    loop
      execute format('alter policy visible on %I using (%s) with check (%s)', each.name, each.condition, each.condition);
    end loop;
    for each in select unnest(array['run', 'dispatch', 'audit_pending']) as name loop
      execute format('alter policy awake on %I using (not app_is_worker() or %s)', each.name, awake);
    end loop;
  end $$;
alter policy visible on workspace using (uid = app_workspace() or app_is_operator() or app_is_owner())
  with check (uid = app_workspace() or app_is_operator());
alter policy visible on workspace_move
  using (workspace_uid = app_workspace() or app_is_operator() or app_is_worker() or app_is_owner())
  with check (app_is_operator());
alter policy of_owner on application using (app_is_owner());

-- The columns of an entry that are derived from its body are written by one trigger, which reads the body once. The
-- trigger overwrites whatever a statement gives, so the columns always agree with the body.
alter table audit_entry
  alter column leaf_hash drop expression, alter column at drop expression, alter column op drop expression,
  alter column status drop expression, alter column actor_uid drop expression,
  alter column subject_type drop expression, alter column subject_uid drop expression,
  alter column request_id drop expression;

create function derive_audit_entry() returns trigger
  language plpgsql
as $$
      declare
        entry jsonb := new.body::jsonb;
      begin
        -- Workspaces are never deleted, so their rows need no lock.
        if not exists (select from workspace w where w.uid = new.workspace_uid) then
          raise insufficient_privilege
            using message = format('the workspace %s does not exist or is another one', new.workspace_uid);
        end if;
        new.leaf_hash := encode(sha256('\x00'::bytea || convert_to(new.body, 'UTF8')), 'hex');
        new.at := (entry ->> 'at')::timestamptz;
        new.op := entry ->> 'op';
        new.status := entry #>> '{outcome,status}';
        new.actor_uid := entry #>> '{actor,uid}';
        new.subject_type := entry #>> '{subject,type}';
        new.subject_uid := entry #>> '{subject,uid}';
        new.request_id := entry ->> 'request_id';
        return new;
      end $$;
create trigger derived before insert on audit_entry for each row execute function derive_audit_entry();
alter table audit_entry drop constraint audit_entry_workspace_uid_fkey;

create function refuse_deletion() returns trigger
  language plpgsql
as $$
      begin
        raise insufficient_privilege using message = format('rows of %s are never deleted', tg_table_name);
      end $$;
create trigger kept before delete on workspace for each row execute function refuse_deletion();

-- An entry that waits for its place is found by its tenant and its id. It is written together with its entry and
-- deleted before it, so it needs no foreign key.
alter table audit_pending drop constraint audit_pending_pkey, drop constraint audit_pending_entry_id_fkey;
drop index audit_pending_workspace_uid_environment_entry_id_idx;
alter table audit_pending add primary key (workspace_uid, environment, entry_id);

-- The application of a run implies its workspace, so one key and one row lock are enough for both.
alter table application add constraint application_tenant unique (uid, workspace_uid, environment);
alter table run drop constraint run_workspace_uid_fkey, drop constraint run_application_uid_fkey;
alter table run add constraint run_application_fkey foreign key (application_uid, workspace_uid, environment)
  references application (uid, workspace_uid, environment);

-- An index entry of 8 bytes instead of 100. A lookup compares the whole hash too.
drop index run_result_content;
create index run_result_content on run_result (hashtextextended(result_hash, 0));

-- What changes in a run comes last. The write-ahead log of a change covers the columns from the first to the last one
-- that changes, so the input of the run stays outside.
alter table run no force row level security;
alter table run
  add column new_started_at timestamptz, add column new_finished_at timestamptz, add column new_state text,
  add column new_progress real not null default 0, add column new_attempts integer not null default 0,
  add column new_problem jsonb;
update run set new_state = state, new_progress = progress, new_attempts = attempts, new_problem = problem,
  new_started_at = started_at, new_finished_at = finished_at;
alter table run drop column state, drop column progress, drop column attempts, drop column problem,
  drop column started_at, drop column finished_at;
alter table run rename column new_state to state;
alter table run rename column new_progress to progress;
alter table run rename column new_attempts to attempts;
alter table run rename column new_problem to problem;
alter table run rename column new_started_at to started_at;
alter table run rename column new_finished_at to finished_at;
alter table run
  alter column state set not null,
  add constraint run_state_check check (state in ('queued', 'running', 'succeeded', 'failed', 'cancelled')),
  add constraint run_progress_check check (progress between 0 and 1),
  add constraint run_check check ((state = 'failed') = (problem is not null)),
  add constraint run_check1 check ((state in ('succeeded', 'failed', 'cancelled')) = (finished_at is not null));
alter table run force row level security;

-- Draws several requests at once from each quota, by the generic cell rate algorithm of `take_rates`. A quota without
-- room for all of them gives one, or none. The results are numbers separated by spaces, in the order of the keys: how
-- many requests were drawn, and the seconds until the quota is full again.
create function draw_rates(keys text[], quotas integer[], wanted integer[], window_s integer)
  returns table (drawn text, full_in text)
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
      declare
        moment timestamptz := clock_timestamp();
        period interval := make_interval(secs => window_s);
        step interval;
        fills timestamptz;
        taken integer;
        counts integer[] := '{}';
        seconds numeric[] := '{}';
      begin
        for i in 1 .. cardinality(keys) loop
          step := period / quotas[i];
          foreach taken in array array[wanted[i], 1, 0] loop
            if taken = 0 then
              select r.full_at into fills from rate_limit r where r.key = keys[i];
              exit;
            end if;
            insert into rate_limit as r values (keys[i], moment + step * taken)
              on conflict (key) do update set full_at = greatest(r.full_at, moment) + step * taken
              where greatest(r.full_at, moment) + step * taken <= moment + period
              returning full_at into fills;
            exit when fills is not null;
          end loop;
          counts[i] := taken;
          seconds[i] := round(extract(epoch from greatest(fills, moment) - moment), 3);
        end loop;
        drawn := array_to_string(counts, ' ');
        full_in := array_to_string(seconds, ' ');
        return next;
      end $$;

-- Who calls, whether they may, and whether the workspace rests here, as `admit_call` tells without counting the request.
create function admit_caller(
  presented_kind text, presented_id text, presented_hash text, presented_environment text, needed_scope text
) returns table (
  refusal text, credential_uid text, application_uid text, workspace_uid text, environment text,
  status text, service_class text, scopes text, granted text, entitlements text, move_state text, moved_to text
)
  language plpgsql
as $$
      #variable_conflict use_variable
      declare
        secret_hash text;
        ends_at timestamptz;
        ended boolean;
        token_scopes text[];
        production_state text;
        held_scopes text[];
        entitled_scopes text[];
        setting text;
      begin
        setting := set_config('app.key_id', presented_id, true);
        if presented_kind = 'api_key' then
          select c.uid, c.application_uid, c.workspace_uid, c.environment, c.secret_hash, c.expires_at, c.revoked_at is not null
            into credential_uid, application_uid, workspace_uid, environment, secret_hash, ends_at, ended
            from credential c where c.key_id = presented_id;
        else
          select t.uid, t.client_uid, t.workspace_uid, t.environment, t.token_hash, t.expires_at, t.scopes, t.revoked_at is not null
            into credential_uid, application_uid, workspace_uid, environment, secret_hash, ends_at, token_scopes, ended
            from access_token t where t.token_hash = presented_id;
        end if;
        setting := set_config('app.key_id', '', true);
        if secret_hash is distinct from presented_hash or ended or ends_at <= now()
          or environment <> coalesce(presented_environment, environment) then
          refusal := 'invalid_token';
        else
          setting := set_config('app.workspace', workspace_uid, true);
          setting := set_config('app.environment', environment, true);
          if token_scopes is not null then
            select c.application_uid into application_uid from oauth_client c
              join access_token t on t.client_uid = c.uid and t.secret_version = c.secret_version
              where t.token_hash = presented_id and c.revoked_at is null;
            if not found then
              refusal := 'invalid_token';
            end if;
          end if;
        end if;
        if refusal is null then
          select a.status, a.scopes, w.entitlements, w.service_class, m.state, m.address,
              case when a.environment = 'production' then (select p.state from production_access p where p.application_uid = a.uid) end
            into status, held_scopes, entitled_scopes, service_class, move_state, moved_to, production_state
            from application a join workspace w on w.uid = a.workspace_uid
            left join workspace_move m on m.workspace_uid = a.workspace_uid
            where a.uid = admit_caller.application_uid;
          scopes := array_to_string(held_scopes, ' ');
          granted := array_to_string(token_scopes, ' ');
          entitlements := array_to_string(entitled_scopes, ' ');
          refusal := case
            when status <> 'active' then 'application_inactive'
            when environment = 'production' and production_state is distinct from 'approved' then 'production_access_disabled'
            when not needed_scope = any(entitled_scopes) then 'entitlement_missing'
            when not needed_scope = any(held_scopes) or not needed_scope = any(coalesce(token_scopes, held_scopes))
              then 'insufficient_scope'
          end;
        end if;
        return next;
      end $$;

-- A stable function is expanded in the statement that calls it.
alter function audit_text(text) stable;

-- Every sealed result has an entry. A result that is restored from a backup finds its entry restored before it.
create or replace function audit_seal() returns trigger
  language plpgsql
as $$
      declare
        placeless bigint;
      begin
        if not exists (
          select from audit_entry e where e.workspace_uid = new.workspace_uid and e.environment = new.environment
            and e.subject_uid = new.run_uid and e.op = 'run.sealed'
        ) then
          insert into audit_entry (workspace_uid, environment, body)
            values (new.workspace_uid, new.environment, audit_seal_body(new.run_uid, new.result_hash, new.seal))
            returning id into placeless;
          insert into audit_pending (entry_id, workspace_uid, environment)
            values (placeless, new.workspace_uid, new.environment);
        end if;
        return null;
      end $$;

-- The turn of a run.
create or replace function turn_of_run(of_queue text, of_workspace text, limits jsonb) returns integer
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
      declare
        turn integer;
      begin
        if of_workspace is distinct from app_workspace() and session_user <> current_database() || '_worker' then
          raise insufficient_privilege using message = 'another workspace''s runs cannot be admitted';
        end if;
        if not pg_try_advisory_xact_lock(hashtextextended('admission ' || of_queue || ' ' || of_workspace, 0))
          or exists (select from dispatch d where d.queue = of_queue and d.workspace_uid = of_workspace and d.tag is null)
        then
          return null;
        end if;
        select case when (limits ->> w.service_class)::integer > queued.own
            then greatest(queued.started, queued.next - 1, queued.last, 0) + 1 end
          into strict turn
          from workspace w cross join (
            select count(*) filter (where d.workspace_uid = of_workspace) as own,
              max(d.tag) filter (where d.workspace_uid = of_workspace) as last,
              max(d.tag) filter (where d.started_at is not null) as started,
              min(d.tag) filter (where d.started_at is null) as next
            from dispatch d where d.queue = of_queue and d.tag is not null
          ) queued
          where w.uid = of_workspace;
        return turn;
      end $$;
