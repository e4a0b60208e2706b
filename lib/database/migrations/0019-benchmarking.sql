-- Benchmarks: which workspaces take part, what they contribute for each closed month, and the published cells. A cell is
-- written once and never changes.
create table benchmark_membership (
  uid text collate "C" primary key,
  workspace_uid text not null references workspace,
  environment text not null check (environment = 'production'),
  metrics text[] not null check (cardinality(metrics) between 1 and 20),
  -- Workspaces with the same group are affiliates and count as one contributor. Null: the workspace alone.
  group_key text check (group_key ~ '^[a-z0-9][a-z0-9-]{0,62}$'),
  joined_by_uid text not null references person,
  joined_at timestamptz not null,
  left_by_uid text references person,
  left_at timestamptz check (left_at >= joined_at),
  check ((left_at is null) = (left_by_uid is null))
);
create unique index benchmark_membership_active on benchmark_membership (workspace_uid) where left_at is null;
alter table benchmark_membership enable row level security, force row level security;
create policy visible on benchmark_membership
  using ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator() or app_is_worker()))
  with check ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator() or app_is_worker()));

create table benchmark_contribution (
  workspace_uid text not null references workspace,
  environment text not null check (environment = 'production'),
  period text not null check (period ~ '^[0-9]{4}-[0-9]{2}$'),
  metric text not null,
  currency text,
  group_key text not null,
  service_class text not null,
  region text not null,
  size_band text not null check (size_band in ('small', 'medium', 'large')),
  -- Decimal texts, so that the cells can be computed again to the digit.
  value text not null,
  weight text not null,
  created_at timestamptz not null,
  unique nulls not distinct (period, metric, currency, workspace_uid)
);
create index on benchmark_contribution (workspace_uid, environment, period);
alter table benchmark_contribution enable row level security, force row level security;
create policy visible on benchmark_contribution
  using ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator() or app_is_worker()))
  with check ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator() or app_is_worker()));

-- The months whose cells are published.
create table benchmark_period (
  period text primary key check (period ~ '^[0-9]{4}-[0-9]{2}$'),
  cells integer not null check (cells >= 0),
  published_at timestamptz not null
);
alter table benchmark_period enable row level security, force row level security;
create policy visible on benchmark_period using (true) with check (true);

create table benchmark_cell (
  uid text collate "C" primary key,
  period text not null,
  metric text not null,
  currency text,
  cohort text not null,
  method_version text not null,
  contributors_at_least integer check (contributors_at_least >= 5),
  distribution jsonb,
  pooled text,
  suppression_reason text check (suppression_reason in ('confidential', 'no_data')),
  cell_hash text not null check (cell_hash ~ '^[0-9a-f]{64}$'),
  as_of timestamptz not null,
  unique nulls not distinct (period, metric, currency, cohort),
  check ((suppression_reason is null) = (distribution is not null)),
  check ((suppression_reason is null) = (contributors_at_least is not null)),
  check (suppression_reason is null or pooled is null)
);
create index on benchmark_cell (metric, period, uid desc);
alter table benchmark_cell enable row level security, force row level security;
create policy visible on benchmark_cell using (true) with check (true);

-- The groups in a cell and the reasons for withholding. Callers of the API cannot read this table.
create table benchmark_cell_basis (
  cell_uid text primary key references benchmark_cell,
  groups text[] not null,
  reason text,
  pooled_reason text
);
alter table benchmark_cell_basis enable row level security, force row level security;
create policy visible on benchmark_cell_basis
  using ((select app_is_operator() or app_is_worker()))
  with check ((select app_is_operator() or app_is_worker()));

-- The secret parameter of the p % rule, in percent. The newest row counts. Callers of the API cannot read this table.
create table benchmark_parameter (
  id bigint generated always as identity primary key,
  p_percent text not null check (p_percent ~ '^[0-9]{1,2}([.][0-9]{1,4})?$'),
  set_at timestamptz not null
);
alter table benchmark_parameter enable row level security, force row level security;
create policy visible on benchmark_parameter
  using ((select app_is_operator() or app_is_worker()))
  with check ((select app_is_operator() or app_is_worker()));
