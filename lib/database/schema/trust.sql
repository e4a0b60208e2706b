-- Keys that sign evidence, and the chain of evidence packs of each workspace and environment.

create table signing_key (
  keyid text primary key check (keyid ~ '^[0-9a-f]{64}$'),
  public_x text not null unique,
  private_sealed text,
  valid_from timestamptz not null,
  retired_at timestamptz check (retired_at >= valid_from),
  check ((private_sealed is null) = (retired_at is not null))
);
create unique index signing_key_active on signing_key ((retired_at is null)) where retired_at is null;
alter table signing_key enable row level security, force row level security;
create policy visible on signing_key using (true) with check (true);

-- The content of a pack is the result of its run. This row holds its place in the chain, what is needed to make it
-- again, and its signature.
create table evidence_pack (
  run_uid text primary key references run,
  workspace_uid text not null references workspace,
  environment text not null check (environment in ('sandbox', 'production')),
  sequence bigint not null check (sequence > 0),
  period_from timestamptz not null,
  period_to timestamptz not null,
  previous_tree_size bigint not null check (previous_tree_size >= 0),
  tree_size bigint not null,
  root_hash text not null check (root_hash ~ '^[0-9a-f]{64}$'),
  pack_hash text not null check (pack_hash ~ '^[0-9a-f]{64}$'),
  previous_pack_hash text check (previous_pack_hash ~ '^[0-9a-f]{64}$'),
  pinned json not null,
  keyid text not null references signing_key,
  signature text not null,
  unique (workspace_uid, environment, sequence),
  check (period_from <= period_to),
  check (tree_size >= previous_tree_size),
  check ((sequence = 1) = (previous_pack_hash is null))
);
alter table evidence_pack enable row level security, force row level security;
create policy visible on evidence_pack
  using ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()))
  with check ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()));
create trigger append_only before update or delete or truncate on evidence_pack
  for each statement execute function audit_refuse_change();
