-- The versions of all rows that decide about a caller: the credential, its application, the workspace and their states.
-- Each change of one of these rows changes the text, and so does another server. A revocation is such a change, and is not
-- looked at otherwise. Null if the credential does not exist here or has expired.
--
-- The function is stable, so that it reads the state at the start of the statement that calls it. In a statement that also
-- admits the caller, the versions are therefore never newer than the rights.
create function caller_versions(presented_kind text, presented_id text, presented_hash text) returns text
  language plpgsql stable
as $$
      #variable_conflict use_variable
      declare
        versions text;
      begin
        if presented_kind = 'api_key' then
          select format('%s: %s %s, %s %s, %s %s, %s %s, %s %s',
              pg_postmaster_start_time(), c.xmin, c.ctid, a.xmin, a.ctid, w.xmin, w.ctid, m.xmin, m.ctid, p.xmin, p.ctid)
            into versions
            from credential c
            join application a on a.uid = c.application_uid
            join workspace w on w.uid = a.workspace_uid
            left join workspace_move m on m.workspace_uid = a.workspace_uid
            left join production_access p on p.application_uid = a.uid
            where c.key_id = presented_id and c.secret_hash = presented_hash and coalesce(c.expires_at > now(), true);
        else
          select format('%s: %s %s, %s %s, %s %s, %s %s, %s %s, %s %s',
              pg_postmaster_start_time(), t.xmin, t.ctid, o.xmin, o.ctid, a.xmin, a.ctid, w.xmin, w.ctid, m.xmin, m.ctid, p.xmin, p.ctid)
            into versions
            from access_token t
            join oauth_client o on o.uid = t.client_uid
            join application a on a.uid = o.application_uid
            join workspace w on w.uid = a.workspace_uid
            left join workspace_move m on m.workspace_uid = a.workspace_uid
            left join production_access p on p.application_uid = a.uid
            where t.token_hash = presented_hash and t.token_hash = presented_id and t.expires_at > now();
        end if;
        return versions;
      end $$;

-- Sets the tenant of a transaction that only reads, and ends the transaction unless the rows that decided about the
-- caller of this tenant are those of the earlier admission.
create function confirm_caller(
  presented_kind text, presented_id text, presented_hash text, of_workspace text, of_environment text, versions text
) returns void
  language plpgsql
as $$
      declare
        setting text;
      begin
        setting := set_config('app.workspace', of_workspace, true);
        setting := set_config('app.environment', of_environment, true);
        setting := set_config('transaction_read_only', 'on', true);
        if versions is null or caller_versions(presented_kind, presented_id, presented_hash) is distinct from versions then
          raise exception using errcode = 'invalid_authorization_specification',
            message = 'the admission of the caller has changed';
        end if;
      end $$;
