import { Migration } from '@mikro-orm/migrations';
import { OF_TENANT, tenantPolicy } from './tenant-policy.ts';

const TENANT = `
        workspace_uid text not null references workspace,
        environment text not null check (environment in ('sandbox', 'production')),`;

/** Connections to AI providers of the customer's own, what their tokens cost, and the calls that were made. */
export class AiConnections extends Migration {
  override up(): void {
    this.addSql(`
      create table ai_connection (
        uid text primary key,${TENANT}
        label text not null,
        provider text not null,
        base_url text not null,
        models text[] not null check (cardinality(models) between 1 and 50),
        state text not null default 'active' check (state in ('active', 'revoked')),
        created_by_uid text not null references person,
        created_at timestamptz not null,
        revoked_by_uid text references person,
        revoked_at timestamptz,
        check ((state = 'revoked') = (revoked_at is not null))
      );
      create unique index ai_connection_label on ai_connection (workspace_uid, environment, label) where state = 'active';
      create index on ai_connection (workspace_uid, environment, uid desc);
      -- The newest counts. The API reads none of it.
      create table ai_connection_key (
        id bigint generated always as identity primary key,
        connection_uid text not null references ai_connection,${TENANT}
        key_id text not null,
        wrapped_key text not null,
        sealed text not null,
        last_four text not null,
        set_by_uid text not null references person,
        set_at timestamptz not null
      );
      create index on ai_connection_key (connection_uid, id desc);
      -- In micro-units of the currency for a million tokens. The newest version of a model counts.
      create table ai_price (
        connection_uid text not null references ai_connection,
        model text not null,
        version integer not null check (version > 0),${TENANT}
        currency text not null,
        input_micro bigint not null check (input_micro >= 0),
        cached_input_micro bigint check (cached_input_micro >= 0),
        output_micro bigint not null check (output_micro >= 0),
        set_by_uid text not null references person,
        set_at timestamptz not null,
        primary key (connection_uid, model, version)
      );
      -- The newest counts; a limit that is null is none.
      create table ai_budget (
        id bigint generated always as identity primary key,
        connection_uid text not null references ai_connection,${TENANT}
        currency text not null,
        daily_micro bigint check (daily_micro >= 0),
        monthly_micro bigint check (monthly_micro >= 0),
        set_by_uid text not null references person,
        set_at timestamptz not null
      );
      create index on ai_budget (connection_uid, id desc);
      -- Written before the call is made, and once more after it.
      create table ai_call (
        uid text primary key,
        connection_uid text not null references ai_connection,${TENANT}
        operation text not null check (operation in ('chat', 'embeddings', 'rerank', 'other')),
        purpose text not null,
        model text not null,
        price_version integer,
        currency text,
        bound_micro bigint check (bound_micro >= 0),
        messages_hash text not null,
        started_at timestamptz not null,
        ended_at timestamptz,
        outcome_hash text,
        failure text,
        http_status integer,
        attempts integer,
        latency_ms integer,
        model_answered text,
        may_be_billed boolean,
        input_tokens bigint check (input_tokens >= 0),
        output_tokens bigint check (output_tokens >= 0),
        cache_read_input_tokens bigint,
        cache_creation_input_tokens bigint,
        reasoning_output_tokens bigint,
        cost_micro bigint check (cost_micro >= 0),
        foreign key (connection_uid, model, price_version) references ai_price,
        check ((price_version is null) = (currency is null) and (price_version is null) = (bound_micro is null)),
        check ((ended_at is null) = (outcome_hash is null) and (ended_at is null) = (may_be_billed is null)),
        check ((input_tokens is null) = (output_tokens is null)),
        check ((cost_micro is not null) = (price_version is not null and input_tokens is not null))
      );
      create index on ai_call (workspace_uid, environment, started_at);
      create index on ai_call (connection_uid, started_at);
    `);
    for (const table of ['ai_connection', 'ai_connection_key', 'ai_price', 'ai_budget', 'ai_call']) {
      this.addSql(tenantPolicy(table));
    }
    this.#wording();
  }

  #wording(): void {
    this.addSql(`
      -- Whether a workspace has sections of its summary put into words, and by which model. The newest counts.
      create table summary_wording_choice (
        id bigint generated always as identity primary key,${TENANT}
        connection_uid text references ai_connection,
        model text,
        set_by_uid text not null references person,
        set_at timestamptz not null,
        check ((connection_uid is null) = (model is null))
      );
      create index on summary_wording_choice (workspace_uid, environment, id desc);
      create table summary_wording (
        section text not null,${TENANT}
        facts_hash text not null,
        claimed_until timestamptz not null,
        failures integer not null default 0,
        text text,
        connection_uid text not null references ai_connection,
        model text not null,
        written_at timestamptz,
        primary key (workspace_uid, environment, section),
        check ((text is null) = (written_at is null))
      );
    `);
    this.addSql(
      tenantPolicy('summary_wording_choice', `${OF_TENANT} or (select app_is_operator() or app_is_worker())`),
    );
    this.addSql(tenantPolicy('summary_wording'));
  }
}
