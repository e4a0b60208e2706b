-- Finds the credential of an API key, with its application, and sets the transaction to its tenant.
create function authenticate(presented_key_id text)
  returns table (
    credential_uid text, secret_hash text, revoked boolean, application_uid text, workspace_uid text,
    environment text, status text, scopes text[], entitlements text[]
  )
  language plpgsql
as $$
      declare found_credential credential;
      begin
        perform set_config('app.key_id', presented_key_id, true);
        select * into found_credential from credential where key_id = presented_key_id;
        perform set_config('app.key_id', '', true);
        if found_credential.uid is null then return; end if;
        perform set_config('app.workspace', found_credential.workspace_uid, true);
        perform set_config('app.environment', found_credential.environment, true);
        return query
          select found_credential.uid, found_credential.secret_hash, found_credential.revoked_at is not null,
                 a.uid, a.workspace_uid, a.environment, a.status, a.scopes, w.entitlements
          from application a join workspace w on w.uid = a.workspace_uid
          where a.uid = found_credential.application_uid;
      end $$;
