-- Tool calls of agents.

-- Workers delete old rows of all workspaces.
create table agent_invocation (
  uid text primary key,
  workspace_uid text not null references workspace,
  environment text not null,
  at timestamptz not null,
  application_uid text not null references application,
  credential_uid text not null,
  tool_name text,
  schema_digest text,
  protocol_version text,
  client_name text,
  client_version text,
  decision text not null check (decision in ('allowed', 'denied')),
  denial_code text,
  arguments_hash text not null,
  arguments_shape jsonb not null,
  result_status text not null check (result_status in ('ok', 'tool_error', 'protocol_error')),
  result_hash text not null,
  result_bytes integer not null check (result_bytes >= 0),
  duration_ms integer not null check (duration_ms >= 0),
  request_id text not null,
  trace_id text,
  check ((decision = 'denied') = (denial_code is not null)),
  check ((tool_name is null) = (schema_digest is null)),
  check (decision = 'allowed' or result_status <> 'ok')
);
create index on agent_invocation (workspace_uid, environment, uid desc);
create index on agent_invocation (at);
alter table agent_invocation enable row level security, force row level security;
create policy visible on agent_invocation
  using ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()))
  with check ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()));
create policy found_by_workers on agent_invocation for select using ((select app_is_worker()));
create policy forgotten_by_workers on agent_invocation for delete using ((select app_is_worker()));
