-- The append-only log of each workspace and environment, and its Merkle tree.

-- The body is the record. The other columns are derived from it, for searching.
create table audit_entry (
  id bigint generated always as identity primary key,
  workspace_uid text not null references workspace,
  environment text not null check (environment in ('sandbox', 'production')),
  body text not null check (octet_length(body) <= 65536),
  leaf_hash text not null generated always as (audit_leaf_hash(body)) stored,
  at timestamptz not null generated always as (audit_instant(body)) stored,
  op text not null generated always as (audit_member(body, '{op}')) stored,
  status text not null generated always as (audit_member(body, '{outcome,status}')) stored
    check (status in ('done', 'refused')),
  actor_uid text generated always as (audit_member(body, '{actor,uid}')) stored,
  subject_type text not null generated always as (audit_member(body, '{subject,type}')) stored,
  subject_uid text not null generated always as (audit_member(body, '{subject,uid}')) stored,
  request_id text generated always as (audit_member(body, '{request_id}')) stored
);
create index on audit_entry (workspace_uid, environment, id desc);
create index on audit_entry (workspace_uid, environment, subject_uid, id desc);
alter table audit_entry enable row level security, force row level security;
create policy visible on audit_entry
  using ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()))
  with check ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()));
create trigger append_only before update or delete or truncate on audit_entry
  for each statement execute function audit_refuse_change();

-- Entries that the sequencer has not placed yet. A transaction that commits late is found here, whatever its id.
create table audit_pending (
  entry_id bigint primary key references audit_entry,
  workspace_uid text not null,
  environment text not null
);
create index on audit_pending (workspace_uid, environment, entry_id);
alter table audit_pending enable row level security, force row level security;
-- The sequencer is a worker and serves all workspaces.
create policy visible on audit_pending
  using ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator() or app_is_worker()))
  with check ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator() or app_is_worker()));

-- The place of each entry in the log.
create table audit_leaf (
  workspace_uid text not null,
  environment text not null,
  leaf_index bigint not null check (leaf_index >= 0),
  entry_id bigint not null unique references audit_entry,
  primary key (workspace_uid, environment, leaf_index)
);
alter table audit_leaf enable row level security, force row level security;
create policy visible on audit_leaf
  using ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()))
  with check ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()));
create trigger append_only before update or delete or truncate on audit_leaf
  for each statement execute function audit_refuse_change();

-- Complete subtrees of the Merkle tree. Level 0 holds the leaves, so a body that was changed later differs from
-- what was placed.
create table audit_node (
  workspace_uid text not null,
  environment text not null,
  level smallint not null,
  node_index bigint not null,
  hash text not null check (hash ~ '^[0-9a-f]{64}$'),
  primary key (workspace_uid, environment, level, node_index)
);
alter table audit_node enable row level security, force row level security;
create policy visible on audit_node
  using ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()))
  with check ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()));
create trigger append_only before update or delete or truncate on audit_node
  for each statement execute function audit_refuse_change();

create table audit_checkpoint (
  workspace_uid text not null,
  environment text not null,
  tree_size bigint not null check (tree_size > 0),
  root_hash text not null check (root_hash ~ '^[0-9a-f]{64}$'),
  at timestamptz not null,
  primary key (workspace_uid, environment, tree_size)
);
alter table audit_checkpoint enable row level security, force row level security;
create policy visible on audit_checkpoint
  using ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()))
  with check ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()));
create trigger append_only before update or delete or truncate on audit_checkpoint
  for each statement execute function audit_refuse_change();
