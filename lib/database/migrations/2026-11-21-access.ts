import { Migration } from '@mikro-orm/migrations';
import { tenantPolicy, OF_TENANT } from './tenant-policy.ts';

/** OAuth clients and tokens, production access, rate limits, and answers kept for repeated requests. */
export class Access extends Migration {
  override up(): void {
    this.addSql(`
      alter table workspace
        add column region text not null default 'local',
        add column time_zone text not null default 'UTC',
        add column financial_actions text not null default 'active' check (financial_actions in ('active', 'frozen'));
      alter table person
        add column state text not null default 'active' check (state in ('active', 'suspended', 'departed'));
      alter table application add column accountable_uid text references person;
      alter table credential
        add column name text,
        add column expires_at timestamptz;
      create table oauth_client (
        uid text primary key,
        workspace_uid text not null references workspace,
        environment text not null check (environment in ('sandbox', 'production')),
        application_uid text not null references application,
        secret_hash text not null,
        secret_version integer not null default 1,
        issued_by_uid text not null references person,
        created_at timestamptz not null,
        rotated_at timestamptz,
        rotated_by_uid text references person,
        revoked_at timestamptz,
        check ((rotated_at is null) = (rotated_by_uid is null))
      );
      create index on oauth_client (application_uid);
      -- A token counts as long as its client's secret is the one it was issued for.
      create table access_token (
        token_hash text primary key,
        uid text not null unique,
        workspace_uid text not null references workspace,
        environment text not null check (environment in ('sandbox', 'production')),
        client_uid text not null references oauth_client,
        secret_version integer not null,
        scopes text[] not null,
        issued_at timestamptz not null,
        expires_at timestamptz not null,
        revoked_at timestamptz
      );
      create index on access_token (client_uid);
      create index on access_token (expires_at);
      create table credential_use (
        credential_uid text primary key,
        workspace_uid text not null references workspace,
        environment text not null check (environment in ('sandbox', 'production')),
        last_used_at timestamptz not null,
        address text not null,
        user_agent text
      );
      create table production_access (
        application_uid text primary key references application,
        workspace_uid text not null references workspace,
        environment text not null check (environment = 'production'),
        state text not null check (state in ('requested', 'approved', 'revoked')),
        requested_by_uid text not null references person,
        requested_at timestamptz not null,
        approved_by_uid text references person,
        approved_at timestamptz,
        revoked_by_uid text references person,
        revoked_at timestamptz,
        check (approved_by_uid is distinct from requested_by_uid),
        check (state <> 'approved' or (approved_by_uid is not null and approved_at is not null))
      );
      create table person_code (
        person_uid text primary key references person,
        workspace_uid text not null references workspace,
        sealed_secret text not null,
        last_step bigint not null default 0,
        enrolled_at timestamptz not null
      );
    `);

    this.addSql(`
      alter table idempotency_key
        alter column run_uid drop not null,
        add column answer text,
        add column expires_at timestamptz not null default now() + interval '24 hours',
        add constraint effect check ((run_uid is null) <> (answer is null)) not valid;
      create index on idempotency_key (expires_at);
    `);

    const operator = '(select app_is_operator())';
    const visible: Record<string, string> = {
      oauth_client: `${operator} or ${OF_TENANT} or uid = nullif(current_setting('app.key_id', true), '')`,
      access_token: `${operator} or ${OF_TENANT} or app_is_worker() or token_hash = nullif(current_setting('app.key_id', true), '')`,
      credential_use: `${operator} or ${OF_TENANT}`,
      production_access: `${operator} or ${OF_TENANT}`,
      person_code: `${operator} and workspace_uid = coalesce((select app_workspace()), workspace_uid)`,
    };
    for (const [table, condition] of Object.entries(visible)) this.addSql(tenantPolicy(table, condition));

    // What a limiter knows is not data: it is gone after a crash, and no role but the owner's functions reads it.
    this.addSql(`
      create unlogged table rate_limit (
        key text primary key,
        full_at timestamptz not null
      ) with (fillfactor = 50);
      alter table rate_limit enable row level security;
      alter table rate_limit force row level security;
      create policy visible on rate_limit using ((select app_is_owner())) with check ((select app_is_owner()));

      -- The generic cell rate algorithm: \`full_at\` is when a quota will be whole again. One statement draws on a quota and
      -- locks it, in the order of the keys, which callers keep; where one has no room, what was drawn before is given back.
      create function take_rates(keys text[], quotas integer[], window_s integer)
      returns table (allowed boolean, full_in text) language plpgsql security definer
      set search_path = public, pg_temp as $$
      declare
        moment timestamptz := clock_timestamp();
        period interval := make_interval(secs => window_s);
        step interval;
        drawn timestamptz;
        states timestamptz[] := '{}';
        seconds numeric[] := '{}';
      begin
        allowed := true;
        for i in 1 .. cardinality(keys) loop
          step := period / quotas[i];
          insert into rate_limit as r values (keys[i], moment + step)
            on conflict (key) do update set full_at = greatest(r.full_at, moment) + step
            where greatest(r.full_at, moment) + step <= moment + period
            returning full_at into drawn;
          if drawn is null then
            allowed := false;
            exit;
          end if;
          states[i] := drawn;
        end loop;
        if not allowed then
          for i in 1 .. cardinality(states) loop
            update rate_limit r set full_at = r.full_at - period / quotas[i] where r.key = keys[i];
          end loop;
          for i in 1 .. cardinality(keys) loop
            select greatest(r.full_at, moment) into drawn from rate_limit r where r.key = keys[i];
            states[i] := coalesce(drawn, moment);
          end loop;
        end if;
        for i in 1 .. cardinality(keys) loop
          seconds[i] := round(extract(epoch from states[i] - moment), 3);
        end loop;
        full_in := array_to_string(seconds, ' ');
        return next;
      end $$;

    `);

    // Failures to prove who one is. Each one past the patience of a key doubles the time for which it is not heard.
    this.addSql(`
      create unlogged table penalty (
        key text primary key,
        failures integer not null,
        blocked_until timestamptz not null,
        forgotten_at timestamptz not null
      ) with (fillfactor = 50);
      alter table penalty enable row level security;
      alter table penalty force row level security;
      create policy visible on penalty using ((select app_is_owner())) with check ((select app_is_owner()));

      create function blocked_seconds(keys text[]) returns double precision language sql stable security definer
        set search_path = public, pg_temp as $$
          select coalesce(max(extract(epoch from blocked_until - clock_timestamp())), 0)::double precision
          from penalty where key = any(keys) and blocked_until > clock_timestamp()
        $$;
      create function penalize(of_key text, patience integer, longest_s integer) returns void language sql security definer
        set search_path = public, pg_temp as $$
          insert into penalty as p values (of_key, 1, now(), now() + interval '15 minutes')
          on conflict (key) do update set
            failures = case when p.forgotten_at < now() then 1 else p.failures + 1 end,
            blocked_until = case when p.forgotten_at < now() or p.failures + 1 < patience then now()
              else now() + make_interval(secs => least(longest_s, power(2, least(p.failures + 1 - patience, 20)))) end,
            forgotten_at = now() + interval '15 minutes'
        $$;
      create function forgive(of_key text) returns void language sql security definer set search_path = public, pg_temp
        as $$ delete from penalty where key = of_key $$;

      create function forget_counts() returns void language sql security definer set search_path = public, pg_temp as $$
          delete from rate_limit where full_at < now();
          delete from penalty where forgotten_at < now()
        $$;

      create function identify_client(presented_id text) returns table (
        secret_hash text, secret_version integer, revoked boolean, application_uid text, workspace_uid text,
        environment text, status text, production_state text, scopes text[], entitlements text[]
      ) language plpgsql as $$
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
    `);

    // Who calls, whether they may, and what is left of their quotas: one look before anything else is done.
    this.addSql(`
      create function admit_request(
        presented_kind text, presented_id text, presented_hash text, presented_environment text,
        needed_scope text, policies text[], quotas_of_class jsonb
      ) returns table (
        refusal text, credential_uid text, application_uid text, workspace_uid text, environment text,
        status text, service_class text, scopes text, granted text, entitlements text, allowed boolean, full_in text
      ) language plpgsql as $$
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
    `);
  }
}
