-- The terms on which a workspace may use a dataset. The rules are those of `lib/data/rights/decide.ts`.
create table data_entitlement (
  uid text primary key,
  -- The workspace that may use the data.
  workspace_uid text not null references workspace,
  dataset_id integer not null references dataset,
  -- Copies of what identifies the dataset, because a suspended entitlement hides the dataset itself.
  dataset_uid text not null,
  dataset_kind text not null,
  dataset_name text not null,
  provider text not null,
  permissions jsonb not null,
  prohibitions jsonb not null,
  duties jsonb not null,
  valid_from timestamptz,
  valid_until timestamptz,
  licence_reference text,
  licence_hash text not null check (licence_hash ~ '^[0-9a-f]{64}$'),
  -- SHA-256 of the terms, which the second person approves.
  entitlement_hash text not null,
  state text not null check (state in ('proposed', 'active', 'suspended', 'ended')),
  proposed_by_uid text not null references person,
  approved_by_uid text references person,
  suspended_by_uid text references person,
  ended_by_uid text references person,
  created_at timestamptz not null,
  approved_at timestamptz,
  suspended_at timestamptz,
  ended_at timestamptz,
  check (state in ('proposed', 'ended') or approved_at is not null)
);
create index on data_entitlement (workspace_uid, uid desc);
alter table data_entitlement enable row level security, force row level security;
create policy visible on data_entitlement
  using (workspace_uid = (select app_workspace()) or (select app_is_operator()))
  with check (workspace_uid = (select app_workspace()) or (select app_is_operator()));

-- The rows that a workspace requested from a dataset on a day (UTC), for entitlements with a row limit.
create table data_use (
  workspace_uid text not null references workspace,
  dataset_id integer not null references dataset,
  day date not null,
  rows bigint not null check (rows >= 0),
  primary key (workspace_uid, dataset_id, day)
);
alter table data_use enable row level security, force row level security;
create policy visible on data_use
  using (workspace_uid = (select app_workspace()) or (select app_is_operator()))
  with check (workspace_uid = (select app_workspace()) or (select app_is_operator()));

-- The period in which row-level security lets a workspace read a dataset of others. Null is unlimited.
alter table dataset_entitlement add column opens_at timestamptz, add column closes_at timestamptz;

-- The ids of the datasets that the decision about the transaction's use has denied.
create function app_denied_datasets() returns integer[]
  language sql stable parallel safe
as $$ select coalesce(string_to_array(nullif(current_setting('app.denied_datasets', true), ''), ',')::integer[], '{}') $$;

alter policy visible on dataset_entitlement
  using ((select app_is_operator()) or (workspace_uid = (select app_workspace())
    and (opens_at is null or opens_at <= now()) and (closes_at is null or closes_at > now())
    and dataset_id <> all (array(select unnest(app_denied_datasets())))));
