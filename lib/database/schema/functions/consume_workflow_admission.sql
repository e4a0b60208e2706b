-- An admission starts one run, of exactly what was admitted, while it has not expired and its version is
-- published.
create function consume_workflow_admission() returns trigger
  language plpgsql
as $$
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
