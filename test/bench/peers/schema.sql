create table api_key (
  key_hash text primary key,
  workspace text not null,
  environment text not null,
  revoked_at timestamptz
);
create table job (
  uid text primary key,
  workspace text not null,
  environment text not null,
  kind text not null,
  state text not null,
  input jsonb not null,
  input_hash text not null,
  attempts int not null default 0,
  created_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  result json,
  result_hash text
);
create index job_of_workspace on job (workspace, environment, created_at);
alter table job enable row level security;
alter table job force row level security;
create policy tenant on job using (
  workspace = current_setting('app.workspace', true) and environment = current_setting('app.environment', true)
);
