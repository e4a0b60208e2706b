-- The requests of question models to a provider of language models, until their answer is used. Workers make the calls.
-- `messages` has the question with a mark for each name of a record, and names of measures, but no value.
create table qlm_provider_call (
  uid text collate "C" primary key,
  workspace_uid text not null references workspace,
  environment text not null check (environment in ('sandbox', 'production')),
  connection_uid text not null references ai_connection,
  purpose text not null check (purpose in ('qlm_planner', 'qlm_wording')),
  model text not null,
  messages json not null,
  messages_hash text not null check (messages_hash ~ '^[0-9a-f]{64}$'),
  state text not null default 'waiting' check (state in ('waiting', 'taken', 'done')),
  -- The text of the provider, or the reason why there is none.
  answer text,
  code text,
  call_uid text collate "C" references ai_call,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  check (state <> 'done' or (answer is null) <> (code is null))
);
create index on qlm_provider_call (expires_at);
create index on qlm_provider_call (workspace_uid, environment) where state = 'waiting';
alter table qlm_provider_call enable row level security, force row level security;
-- Workers answer and delete the requests of all workspaces.
create policy visible on qlm_provider_call
  using ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator() or app_is_worker()))
  with check ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator() or app_is_worker()));

-- The calls to a provider that an answer used: their number, tokens and cost. Null: no provider was asked.
alter table qlm_answer add column provider_usage json;
