-- Connections to the customer's own AI providers, prices and budgets of their tokens, and the calls made.

create table ai_connection (
  uid text primary key,
  workspace_uid text not null references workspace,
  environment text not null check (environment in ('sandbox', 'production')),
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
alter table ai_connection enable row level security, force row level security;
create policy visible on ai_connection
  using ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()))
  with check ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()));

-- The newest key of a connection counts. The API cannot read this table.
create table ai_connection_key (
  id bigint generated always as identity primary key,
  connection_uid text not null references ai_connection,
  workspace_uid text not null references workspace,
  environment text not null check (environment in ('sandbox', 'production')),
  key_id text not null,
  wrapped_key text not null,
  sealed text not null,
  last_four text not null,
  set_by_uid text not null references person,
  set_at timestamptz not null
);
create index on ai_connection_key (connection_uid, id desc);
alter table ai_connection_key enable row level security, force row level security;
create policy visible on ai_connection_key
  using ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()))
  with check ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()));

-- Prices per million tokens, in micro-units of the currency. The newest version of a model counts.
create table ai_price (
  connection_uid text not null references ai_connection,
  model text not null,
  version integer not null check (version > 0),
  workspace_uid text not null references workspace,
  environment text not null check (environment in ('sandbox', 'production')),
  currency text not null,
  input_micro bigint not null check (input_micro >= 0),
  cached_input_micro bigint check (cached_input_micro >= 0),
  output_micro bigint not null check (output_micro >= 0),
  set_by_uid text not null references person,
  set_at timestamptz not null,
  primary key (connection_uid, model, version)
);
alter table ai_price enable row level security, force row level security;
create policy visible on ai_price
  using ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()))
  with check ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()));

-- The newest row counts; a null limit means no limit.
create table ai_budget (
  id bigint generated always as identity primary key,
  connection_uid text not null references ai_connection,
  workspace_uid text not null references workspace,
  environment text not null check (environment in ('sandbox', 'production')),
  currency text not null,
  daily_micro bigint check (daily_micro >= 0),
  monthly_micro bigint check (monthly_micro >= 0),
  set_by_uid text not null references person,
  set_at timestamptz not null
);
create index on ai_budget (connection_uid, id desc);
alter table ai_budget enable row level security, force row level security;
create policy visible on ai_budget
  using ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()))
  with check ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()));

-- Written before the call is made and completed after it.
create table ai_call (
  uid text primary key,
  connection_uid text not null references ai_connection,
  workspace_uid text not null references workspace,
  environment text not null check (environment in ('sandbox', 'production')),
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
alter table ai_call enable row level security, force row level security;
create policy visible on ai_call
  using ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()))
  with check ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()));
