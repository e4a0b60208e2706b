import { Migration } from '@mikro-orm/migrations';
import { OF_TENANT, tenantPolicy } from './tenant-policy.ts';

const TENANT = `
        workspace_uid text not null references workspace,
        environment text not null check (environment in ('sandbox', 'production')),`;

/**
 * Delegations with their approvals, intents, budgets and reservations. The rules stand here a second time: a role that
 * may write an approval can neither write one that is not independent or out of turn, nor activate without a quorum.
 */
export class Delegations extends Migration {
  override up(): void {
    this.addSql(tables);
    this.addSql(delegationRules);
    this.addSql(approvalRules);
    this.addSql(budgets);
    for (const table of ['delegation_approval', 'approval_intent', 'delegation_window']) {
      this.addSql(tenantPolicy(table));
    }
    // a worker looks for what has expired
    const due = `${OF_TENANT} or (select app_is_operator() or app_is_worker())`;
    for (const table of ['delegation', 'reservation']) this.addSql(tenantPolicy(table, due));
  }
}

const tables = `
      create table delegation (
        uid text primary key,${TENANT}
        state text not null check (state in
          ('draft', 'activated', 'suspended', 'rejected', 'withdrawn', 'expired', 'revoked', 'superseded')),
        identity_uid text not null references governed_record,
        terms jsonb not null,
        terms_hash text not null,
        reason text,
        graph_uid text not null references governed_record,
        graph_version integer not null,
        graph_hash text not null,
        nodes jsonb not null,
        creator jsonb not null,
        creator_persons text[] not null,
        created_by_uid text not null references application,
        created_at timestamptz not null,
        draft_expires_at timestamptz not null,
        valid_until timestamptz not null,
        replaces_uid text references delegation,
        activated_at timestamptz,
        ended_at timestamptz,
        state_reason text
      );
      create index on delegation (workspace_uid, environment, uid desc);
      create index on delegation (identity_uid, state);
      create table approval_intent (
        uid text primary key,${TENANT}
        delegation_uid text not null references delegation,
        person_uid text not null references person,
        application_uid text not null references application,
        node integer not null,
        terms_hash text not null,
        created_at timestamptz not null,
        expires_at timestamptz not null
      );
      create table delegation_approval (
        uid text primary key,${TENANT}
        delegation_uid text not null references delegation,
        node integer not null,
        person_uid text not null references person,
        role text,
        -- null where a person resumes on the operators' surface, where no application speaks for anybody
        application_uid text references application,
        credential_uid text,
        binding_uid text references governed_record,
        authority_uid text not null references governed_record,
        authority_version integer not null,
        authority_hash text not null,
        intent_uid text unique references approval_intent,
        independence jsonb not null,
        decision_uid text,
        terms_hash text not null,
        at timestamptz not null,
        state text not null default 'counted' check (state in ('counted', 'voided')),
        void_reason text,
        voided_at timestamptz,
        check ((state = 'voided') = (voided_at is not null)),
        check (jsonb_array_length(independence -> 'intersections') = 0)
      );
      create unique index delegation_approval_person on delegation_approval (delegation_uid, person_uid)
        where state = 'counted';
      create index on delegation_approval (authority_uid);
      create table delegation_window (
        delegation_uid text not null references delegation,${TENANT}
        kind text not null check (kind in ('day', 'month')),
        key text not null,
        cap bigint not null,
        reserved bigint not null check (reserved >= 0),
        settled bigint not null check (settled >= 0),
        primary key (delegation_uid, kind, key),
        check (reserved + settled <= cap)
      );
      create table reservation (
        uid text primary key,${TENANT}
        delegation_uid text not null references delegation,
        reference text not null,
        state text not null check (state in ('reserved', 'settled', 'released', 'stuck')),
        envelope jsonb not null,
        envelope_hash text not null,
        amount bigint not null check (amount >= 1),
        settled bigint check (settled >= 0 and settled <= amount),
        day text not null,
        month text not null,
        decision_uid text,
        created_at timestamptz not null,
        lease_until timestamptz not null,
        ended_at timestamptz,
        exception text,
        unique (delegation_uid, reference)
      );
      create index on reservation (workspace_uid, environment, uid desc);
      create index on reservation (state, lease_until) where state = 'reserved';
`;

const delegationRules = `
      create function keep_delegation() returns trigger language plpgsql as $$
      begin
        if (new.uid, new.workspace_uid, new.environment, new.identity_uid, new.terms, new.terms_hash, new.reason,
            new.graph_uid, new.graph_version, new.graph_hash, new.nodes, new.creator, new.creator_persons,
            new.created_by_uid, new.created_at, new.draft_expires_at, new.valid_until, new.replaces_uid)
          is distinct from (old.uid, old.workspace_uid, old.environment, old.identity_uid, old.terms, old.terms_hash,
            old.reason, old.graph_uid, old.graph_version, old.graph_hash, old.nodes, old.creator, old.creator_persons,
            old.created_by_uid, old.created_at, old.draft_expires_at, old.valid_until, old.replaces_uid)
        then
          raise exception 'the terms of a delegation never change' using errcode = 'integrity_constraint_violation';
        end if;
        if new.state <> old.state and (old.state, new.state) not in (
          ('draft', 'activated'), ('draft', 'rejected'), ('draft', 'withdrawn'), ('draft', 'expired'),
          ('activated', 'suspended'), ('activated', 'revoked'), ('activated', 'expired'), ('activated', 'superseded'),
          ('suspended', 'activated'), ('suspended', 'revoked'), ('suspended', 'expired'), ('suspended', 'superseded')
        ) then
          raise exception 'a delegation never goes from % to %', old.state, new.state
            using errcode = 'integrity_constraint_violation';
        end if;
        if new.state = 'activated' and old.state <> 'activated' and not is_quorum_complete(new.uid) then
          raise exception 'a delegation is not activated without its quorum'
            using errcode = 'integrity_constraint_violation';
        end if;
        return new;
      end $$;

      -- Whether each node of the pinned graph has as many counted approvals as it asks for.
      create function is_quorum_complete(of_delegation text) returns boolean stable language sql as $$
        select bool_and((place ->> 'quorum')::integer <= (
          select count(*) from delegation_approval a
          where a.delegation_uid = d.uid and a.state = 'counted' and a.node = (place ->> 'position')::integer
        ))
        from delegation d cross join jsonb_array_elements(d.nodes) place where d.uid = of_delegation
      $$;

      create trigger keep before update on delegation for each row execute function keep_delegation();

      -- The only way in which the API brings a delegation into force; it ends the one that it replaces.
      create function activate_delegation(of_delegation text, moment timestamptz) returns boolean
      language plpgsql security definer set search_path = public, pg_temp as $$
      declare
        replaced text;
      begin
        update delegation set state = 'activated', activated_at = moment
          where uid = of_delegation and state = 'draft' and draft_expires_at > moment
          returning replaces_uid into replaced;
        if not found then
          return false;
        end if;
        update delegation set state = 'superseded', ended_at = moment, state_reason = 'replaced'
          where uid = replaced and state in ('activated', 'suspended');
        -- what was used of the old budgets is used of the new ones
        insert into delegation_window
          select of_delegation, w.workspace_uid, w.environment, w.kind, w.key, c.cap, 0, least(c.cap, w.reserved + w.settled)
          from delegation_window w
          join delegation d on d.uid = of_delegation
          cross join lateral (select (d.terms -> 'budgets' ->> ('per_' || w.kind || '_minor'))::bigint as cap) c
          where w.delegation_uid = replaced;
        return true;
      end $$;

      -- Votes are cast one after the other, also by a role that cannot change a delegation.
      create function lock_delegation(of_delegation text) returns void
      language sql security definer set search_path = public, pg_temp as $$
        select uid from delegation where uid = of_delegation for update
      $$;

      create function expire_delegation(of_delegation text, moment timestamptz) returns boolean
      language plpgsql security definer set search_path = public, pg_temp as $$
      begin
        update delegation set state = 'expired', ended_at = moment
          where uid = of_delegation and (state = 'draft' and least(draft_expires_at, valid_until) <= moment
            or state in ('activated', 'suspended') and valid_until <= moment);
        return found;
      end $$;
`;

const approvalRules = `
      create function check_approval() returns trigger language plpgsql as $$
      declare
        d delegation;
        wanted jsonb;
      begin
        select * into d from delegation where uid = new.delegation_uid;
        select place into wanted from jsonb_array_elements(d.nodes) place where (place ->> 'position')::integer = new.node;
        if d.state not in ('draft', 'suspended') or d.terms_hash <> new.terms_hash or wanted is null then
          raise exception 'no vote can be cast for this' using errcode = 'integrity_constraint_violation';
        end if;
        if new.application_uid = d.created_by_uid or new.person_uid = any(d.creator_persons) then
          raise exception 'who drafted a delegation does not approve it' using errcode = 'integrity_constraint_violation';
        end if;
        if exists (select from jsonb_array_elements(d.nodes) place
          where (place ->> 'position')::integer < new.node and (place ->> 'quorum')::integer > (
            select count(*) from delegation_approval a where a.delegation_uid = d.uid and a.state = 'counted'
              and a.node = (place ->> 'position')::integer))
        then
          raise exception 'an earlier node is not met' using errcode = 'integrity_constraint_violation';
        end if;
        if (d.state = 'draft' or new.application_uid is not null)
          and not exists (select from governed_record b where b.uid = new.binding_uid and b.kind = 'binding'
          and b.state = 'active' and b.body ->> 'application_uid' = new.application_uid
          and b.body ->> 'person_uid' = new.person_uid)
        then
          raise exception 'the application does not speak for the person' using errcode = 'integrity_constraint_violation';
        end if;
        if not exists (select from governed_record a where a.uid = new.authority_uid and a.kind = 'authority'
          and a.state = 'active')
        then
          raise exception 'the authority is not in force' using errcode = 'integrity_constraint_violation';
        end if;
        return new;
      end $$;
      create trigger checked before insert on delegation_approval for each row execute function check_approval();

      create function keep_approval() returns trigger language plpgsql as $$
      begin
        if old.state = 'voided' or new.state <> 'voided' or (to_jsonb(new) - array['state', 'void_reason', 'voided_at'])
          <> (to_jsonb(old) - array['state', 'void_reason', 'voided_at'])
        then
          raise exception 'an approval can only be voided, once' using errcode = 'integrity_constraint_violation';
        end if;
        return new;
      end $$;
      create trigger keep before update on delegation_approval for each row execute function keep_approval();
`;

const budgets = `
      -- Draws an amount on the budgets of a day and a month, on both or on none. The answer is the window without room.
      create function draw_budget(of_delegation text, of_day text, of_month text, amount bigint, day_cap bigint,
        month_cap bigint) returns text language plpgsql as $$
      declare
        d record;
      begin
        select workspace_uid, environment into d from delegation where uid = of_delegation;
        insert into delegation_window as w values
          (of_delegation, d.workspace_uid, d.environment, 'day', of_day, day_cap, amount, 0)
          on conflict (delegation_uid, kind, key) do update set reserved = w.reserved + draw_budget.amount
          where w.reserved + w.settled + draw_budget.amount <= w.cap;
        if not found then
          return 'day';
        end if;
        insert into delegation_window as w values
          (of_delegation, d.workspace_uid, d.environment, 'month', of_month, month_cap, amount, 0)
          on conflict (delegation_uid, kind, key) do update set reserved = w.reserved + draw_budget.amount
          where w.reserved + w.settled + draw_budget.amount <= w.cap;
        if not found then
          update delegation_window w set reserved = w.reserved - draw_budget.amount
            where w.delegation_uid = of_delegation and w.kind = 'day' and w.key = of_day;
          return 'month';
        end if;
        return null;
      end $$;

      create function keep_reservation() returns trigger language plpgsql as $$
      begin
        if new.state <> old.state and (old.state, new.state) not in (('reserved', 'settled'), ('reserved', 'released'),
          ('reserved', 'stuck'), ('stuck', 'settled'), ('stuck', 'released')) or new.amount <> old.amount
        then
          raise exception 'a reservation ends once' using errcode = 'integrity_constraint_violation';
        end if;
        return new;
      end $$;
      create trigger keep before update on reservation for each row execute function keep_reservation();
`;
