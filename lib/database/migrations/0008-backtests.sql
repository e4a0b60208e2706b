-- The trials of each family of strategies. Evidence against overfitting needs their number and the spread of their
-- Sharpe ratios, so every sealed backtest and search adds its trials. The same trial counts once.
create table strategy_trial (
  workspace_uid text not null references workspace,
  environment text not null,
  family text not null,
  -- SHA-256 of the resolved strategy and its first and last day.
  trial_hash text not null,
  run_uid text not null,
  -- Sharpe ratio of one session; null if the returns do not vary.
  sharpe double precision,
  primary key (workspace_uid, environment, family, trial_hash)
);
alter table strategy_trial enable row level security, force row level security;
create policy visible on strategy_trial
  using ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()))
  with check ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()));

with built_in (place, key, description) as (
  values
    (1, 'svc_backtest_v1',
      'Simulation of a strategy on observed prices, with costs, corporate actions and evidence against overfitting.'),
    (2, 'svc_optimization_v1',
      'Search of the parameters of a strategy, with walk-forward tests and evidence against overfitting.')
), registered as (
  insert into model_version (key, version, state, description, authored_by, approved_by, approved_at, created_at)
  select key, '1.0.0', 'approved', description, 'assay:quantitative-research', 'assay:model-risk', now(), now()
  from built_in order by place
)
insert into model_alias (workspace_uid, key, alias, version, set_by, since)
select null, key, 'active', '1.0.0', 'assay:model-risk', now() from built_in order by place;
