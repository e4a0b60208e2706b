-- Every sealed result has an entry. A result that is restored from a backup finds its entry restored before it.
create function audit_seal() returns trigger
  language plpgsql
as $$
      begin
        if not exists (
          select from audit_entry e where e.workspace_uid = new.workspace_uid and e.environment = new.environment
            and e.subject_uid = new.run_uid and e.op = 'run.sealed'
        ) then
          with written as (
            insert into audit_entry (workspace_uid, environment, body)
            values (new.workspace_uid, new.environment, audit_seal_body(new.run_uid, new.result_hash, new.seal))
            returning id
          )
          insert into audit_pending (entry_id, workspace_uid, environment)
          select id, new.workspace_uid, new.environment from written;
        end if;
        return null;
      end $$;
