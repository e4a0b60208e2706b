import { Migration } from '@mikro-orm/migrations';
import { approvalRules, delegationRules } from './delegation-rules.ts';
import { roleRules, supportRules } from './support-rules.ts';
import { OF_TENANT, tenantPolicy } from './tenant-policy.ts';

const TENANT = `
        workspace_uid text not null references workspace,
        environment text not null check (environment in ('sandbox', 'production')),`;

/**
 * Delegations with their approvals, intents, budgets and reservations. The rules stand here a second time: a role that
 * may write drafts and approvals can neither write a delegation that is in force, nor an approval that is not
 * independent, entitled and in turn, nor activate without a quorum.
 */
export class Delegations extends Migration {
  override up(): void {
    this.addSql(tables);
    this.addSql(roleRules);
    this.addSql(supportRules);
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
        offered bigint check (offered > amount),
        evidence text,
        unique (delegation_uid, reference),
        check (offered is null or state = 'stuck' or state = 'settled' and settled = amount)
      );
      create index on reservation (workspace_uid, environment, uid desc);
      create index on reservation (state, lease_until) where state = 'reserved';
`;

const budgets = `
      -- What is used of a day and of a month, held until the transaction ends: always the day first, so that no two
      -- transactions wait for each other.
      create function hold_windows(of_delegation text, of_day text, of_month text, day_cap bigint, month_cap bigint)
      returns table (kind text, reserved bigint, settled bigint) language plpgsql as $$
      begin
        insert into delegation_window
          select d.uid, d.workspace_uid, d.environment, place.kind, place.key, place.cap, 0, 0
          from delegation d
          cross join (values (1, 'day', of_day, day_cap), (2, 'month', of_month, month_cap)) place (at, kind, key, cap)
          where d.uid = of_delegation order by place.at
          on conflict do nothing;
        return query select w.kind, w.reserved, w.settled from delegation_window w
          where w.delegation_uid = of_delegation and (w.kind, w.key) in (('day', of_day), ('month', of_month))
          order by w.kind for update;
      end $$;

      create function keep_reservation() returns trigger language plpgsql as $$
      begin
        if new.state <> old.state and (old.state, new.state) not in (('reserved', 'settled'), ('reserved', 'released'),
          ('reserved', 'stuck'), ('stuck', 'settled'), ('stuck', 'released')) or new.amount <> old.amount
          or old.state = 'stuck' and new.state <> 'stuck' and new.evidence is null
          or old.offered is not null and new.offered is distinct from greatest(old.offered, new.offered)
        then
          raise exception 'a reservation ends once' using errcode = 'integrity_constraint_violation';
        end if;
        return new;
      end $$;
      create trigger keep before update on reservation for each row execute function keep_reservation();
`;
