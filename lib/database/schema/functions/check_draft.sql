-- A delegation begins as a draft of an application of its tenant, pinned to a graph in force, unchanged.
create function check_draft() returns trigger
  language plpgsql
as $$
      begin
        if new.state <> 'draft' or new.activated_at is not null or new.ended_at is not null then
          raise exception 'a delegation begins as a draft' using errcode = 'integrity_constraint_violation';
        end if;
        if not exists (select from governed_record g
          where g.uid = new.graph_uid and g.kind = 'graph' and g.state = 'active'
            and (g.workspace_uid, g.environment) = (new.workspace_uid, new.environment)
            and (g.version, g.body_hash) = (new.graph_version, new.graph_hash)
            and new.nodes = (
              select jsonb_agg(node || jsonb_build_object('position', position) order by position)
              from jsonb_array_elements(g.body -> 'nodes') with ordinality as n (node, position)))
          or exists (select from jsonb_array_elements(new.nodes) place
            where coalesce((place ->> 'quorum')::integer, 0) < 1)
        then
          raise exception 'a draft is pinned to a graph in force, as it is' using errcode = 'integrity_constraint_violation';
        end if;
        if not exists (select from application a join governed_record i on i.uid = new.identity_uid and i.kind = 'identity'
          where a.uid = new.created_by_uid
            and new.creator_persons @> (persons_behind(a.uid, new.created_at) || (i.body ->> 'owner_uid'))
            and (a.workspace_uid, a.environment) = (new.workspace_uid, new.environment)
            and (i.workspace_uid, i.environment) = (new.workspace_uid, new.environment))
        then
          raise exception 'a draft names all who stand behind it' using errcode = 'integrity_constraint_violation';
        end if;
        if new.replaces_uid is not null and not exists (select from delegation r
          where r.uid = new.replaces_uid and r.identity_uid = new.identity_uid and not exists (
            select from unnest(array['action', 'counterparty_id', 'connector', 'currency', 'execution_mode', 'time_zone'])
              as same (member) where r.terms -> member is distinct from new.terms -> member))
        then
          raise exception 'a delegation replaces one for the same thing' using errcode = 'integrity_constraint_violation';
        end if;
        return new;
      end $$;
