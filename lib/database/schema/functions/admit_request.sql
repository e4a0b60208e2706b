-- Who calls, whether they may, and what is left of their quotas: one statement before anything else is done.
create function admit_request(
  presented_kind text, presented_id text, presented_hash text, presented_environment text,
  needed_scope text, policies text[], quotas_of_class jsonb
) returns table (
  refusal text, credential_uid text, application_uid text, workspace_uid text, environment text,
  status text, service_class text, scopes text, granted text, entitlements text, allowed boolean,
  full_in text
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
      begin
        perform set_config('app.key_id', presented_id, true);
        if presented_kind = 'api_key' then
          select c.uid, c.application_uid, c.workspace_uid, c.environment, c.secret_hash, c.expires_at, c.revoked_at is not null
            into credential_uid, application_uid, workspace_uid, environment, secret_hash, ends_at, ended
            from credential c where c.key_id = presented_id;
        else
          select t.uid, t.client_uid, t.workspace_uid, t.environment, t.token_hash, t.expires_at, t.scopes, t.revoked_at is not null
            into credential_uid, application_uid, workspace_uid, environment, secret_hash, ends_at, token_scopes, ended
            from access_token t where t.token_hash = presented_id;
        end if;
        perform set_config('app.key_id', '', true);
        if secret_hash is distinct from presented_hash or ended or ends_at <= now()
          or environment <> coalesce(presented_environment, environment) then
          refusal := 'invalid_token';
          return next;
          return;
        end if;
        perform set_config('app.workspace', workspace_uid, true);
        perform set_config('app.environment', environment, true);
        if token_scopes is not null then
          select c.application_uid into application_uid from oauth_client c
            join access_token t on t.client_uid = c.uid and t.secret_version = c.secret_version
            where t.token_hash = presented_id and c.revoked_at is null;
          if not found then
            refusal := 'invalid_token';
            return next;
            return;
          end if;
        end if;
        select a.status, a.scopes, w.entitlements, w.service_class, p.state
          into status, held_scopes, entitled_scopes, service_class, production_state
          from application a join workspace w on w.uid = a.workspace_uid
          left join production_access p on p.application_uid = a.uid
          where a.uid = admit_request.application_uid;
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
        if refusal is null and quotas_of_class is not null then
          select r.allowed, r.full_in into allowed, full_in
          from take_rates(
            array(select case p when 'workspace' then 'workspace ' || workspace_uid else p || ' ' || application_uid end
              || ' ' || environment from unnest(policies) p),
            array(select (quotas_of_class -> service_class ->> p)::integer from unnest(policies) p), 60) r;
        end if;
        return next;
      end $$;
