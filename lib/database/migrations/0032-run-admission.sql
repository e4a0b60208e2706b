-- Admission of runs without a lock that is held while a commit waits for the disk.

-- The turn of a run that its workspace submits now, with which it can be queued at once; null if the workspace has no
-- room, if other runs of the workspace wait, or if another transaction admits runs of the workspace. The run then waits
-- for `admit_waiting_runs`. It runs with the owner's rights, since the order of turns depends on the runs of all
-- workspaces.
create function turn_of_run(of_queue text, of_workspace text, limits jsonb) returns integer
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
      declare
        room integer;
        last_tag integer;
        virtual_time integer;
      begin
        if of_workspace is distinct from app_workspace() and session_user <> current_database() || '_worker' then
          raise insufficient_privilege using message = 'another workspace''s runs cannot be admitted';
        end if;
        if not pg_try_advisory_xact_lock(hashtextextended('admission ' || of_queue || ' ' || of_workspace, 0))
          or exists (select from dispatch d where d.queue = of_queue and d.workspace_uid = of_workspace and d.tag is null)
        then
          return null;
        end if;
        select (limits ->> w.service_class)::integer into strict room from workspace w where w.uid = of_workspace;
        select room - count(*) filter (where d.workspace_uid = of_workspace),
            coalesce(max(d.tag) filter (where d.workspace_uid = of_workspace), 0),
            greatest(
              coalesce(max(d.tag) filter (where d.started_at is not null), 0),
              coalesce(min(d.tag) filter (where d.started_at is null) - 1, 0)
            )
          into room, last_tag, virtual_time
          from dispatch d where d.queue = of_queue and d.tag is not null;
        return case when room > 0 then greatest(virtual_time, last_tag) + 1 end;
      end $$;
revoke execute on function turn_of_run from public;

-- Admits waiting runs like `admit_runs`, but takes the lock only if a run waits. Its caller has committed whatever gave
-- room or waits, so of two callers at the same time the later one sees the effects of both.
create function admit_waiting_runs(of_queue text, of_workspace text, limits jsonb)
  returns table (run_uid text, workspace_uid text, environment text, kind text, tag integer)
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
      begin
        if of_workspace is distinct from app_workspace() and session_user <> current_database() || '_worker' then
          raise insufficient_privilege using message = 'another workspace''s runs cannot be admitted';
        end if;
        if exists (select from dispatch d where d.queue = of_queue and d.workspace_uid = of_workspace and d.tag is null)
        then
          return query select * from admit_runs(of_queue, of_workspace, limits);
        end if;
      end $$;
revoke execute on function admit_waiting_runs from public;

-- `dispatch_turn` and `dispatch_waiting` serve its lookups.
drop index dispatch_lane;

-- A run changes twice soon after it was written. With room on its page, a change writes no index entry and only what
-- differs to the write-ahead log.
alter table run set (fillfactor = 60);
alter table dispatch set (fillfactor = 50);
