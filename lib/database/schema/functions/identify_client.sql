-- Finds an OAuth client with its application, and sets the transaction to its tenant.
create function identify_client(presented_id text)
  returns table (
    secret_hash text, secret_version integer, revoked boolean, application_uid text, workspace_uid text,
    environment text, status text, production_state text, scopes text[], entitlements text[]
  )
  language plpgsql
as $$
      declare found_client oauth_client;
      begin
        perform set_config('app.key_id', presented_id, true);
        select * into found_client from oauth_client c where c.uid = presented_id;
        perform set_config('app.key_id', '', true);
        if found_client.uid is null then return; end if;
        perform set_config('app.workspace', found_client.workspace_uid, true);
        perform set_config('app.environment', found_client.environment, true);
        return query
          select found_client.secret_hash, found_client.secret_version, found_client.revoked_at is not null,
                 a.uid, a.workspace_uid, a.environment, a.status, p.state, a.scopes, w.entitlements
          from application a join workspace w on w.uid = a.workspace_uid
          left join production_access p on p.application_uid = a.uid
          where a.uid = found_client.application_uid;
      end $$;
