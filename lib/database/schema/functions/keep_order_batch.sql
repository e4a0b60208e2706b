-- The content of a batch never changes, its state follows the allowed transitions, a release needs passed controls
-- and an approval of exactly these orders, and only evidence closes a batch.
create function keep_order_batch() returns trigger
  language plpgsql
as $$
      declare
        live text[] := '{released,executing,confirmed,partially_settled,settled,closed}';
        before text[] := '{drafted,controls_failed,controls_passed,approved}';
      begin
        if (new.uid, new.workspace_uid, new.environment, new.batch_reference, new.portfolio_uid, new.envelope_uid,
            new.envelope_hash, new.material_hash_root, new.order_count, new.imported_by_uid, new.created_at)
          is distinct from (old.uid, old.workspace_uid, old.environment, old.batch_reference, old.portfolio_uid,
            old.envelope_uid, old.envelope_hash, old.material_hash_root, old.order_count, old.imported_by_uid,
            old.created_at)
        then
          raise exception 'what a batch consists of never changes' using errcode = 'integrity_constraint_violation';
        end if;
        if old.released_at is not null and (new.controls, new.approved_by_uid, new.approved_at, new.approved_root,
            new.approved_authority_uid, new.released_by_uid, new.released_at, new.released_authority_uid, new.tolerance)
          is distinct from (old.controls, old.approved_by_uid, old.approved_at, old.approved_root,
            old.approved_authority_uid, old.released_by_uid, old.released_at, old.released_authority_uid, old.tolerance)
        then
          raise exception 'what a batch was released on never changes'
            using errcode = 'integrity_constraint_violation';
        end if;
        if new.state <> old.state and not (
          (old.state = any(before) and new.state in ('controls_passed', 'controls_failed', 'cancelled'))
          or (old.state = 'controls_passed' and new.state = 'approved')
          or (old.state = 'approved' and new.state = 'released')
          or (old.state = any(live) and new.state = 'exception')
          or (old.state = 'exception' and new.state = any(live))
          or array_position(live, old.state) < array_position(live, new.state)
        ) then
          raise exception 'a batch never goes from % to %', old.state, new.state
            using errcode = 'integrity_constraint_violation';
        end if;
        if new.state = 'released' and old.state = 'approved' and (
          new.approved_root is distinct from new.material_hash_root
          or new.controls ->> 'verdict' is distinct from 'passed'
          or new.controls ->> 'root' is distinct from new.material_hash_root
          or (new.controls ->> 'expires_at')::timestamptz <= new.released_at
        ) then
          raise exception 'a batch is released on controls that passed and on an approval of its orders alone'
            using errcode = 'integrity_constraint_violation';
        end if;
        if new.state = 'closed' and (
          not exists (select from trade_confirmation where batch_uid = new.uid and not is_refused)
          or not exists (select from custody_observation where batch_uid = new.uid and not is_early)
          or exists (select from batch_order where batch_uid = new.uid and state <> 'settled')
          or exists (select from execution_exception
            where batch_uid = new.uid and state in ('open', 'acknowledged') and severity <> 'low')
        ) then
          raise exception 'a batch is closed by confirmation and custody alone, with nothing open'
            using errcode = 'integrity_constraint_violation';
        end if;
        return new;
      end $$;
