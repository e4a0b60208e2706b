-- Live rounds of tournaments: forecasts that are sealed before the values are known, and scored afterwards.

create table tournament_round (
  tournament_uid text not null references run,
  round integer not null check (round between 1 and 120),
  workspace_uid text not null references workspace,
  environment text not null check (environment in ('sandbox', 'production')),
  state text not null check (state in ('planned', 'open', 'scoring', 'resolved', 'void')),
  opens_at timestamptz not null,
  closes_at timestamptz not null check (closes_at >= opens_at),
  look_at timestamptz,
  run_uid text references run,
  reason text check (reason in ('not_sealed', 'sealing_failed', 'not_observed')),
  score jsonb,
  standing jsonb,
  ended_at timestamptz,
  primary key (tournament_uid, round),
  check ((state in ('resolved', 'void')) = (ended_at is not null)),
  check ((state in ('resolved', 'void')) = (look_at is null)),
  check ((state = 'void') = (reason is not null))
);
create index on tournament_round (look_at) where look_at is not null;
alter table tournament_round enable row level security, force row level security;
create policy visible on tournament_round
  using ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator() or app_is_worker()))
  with check ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator() or app_is_worker()));

-- The model of predictions: registered, approved by others than its authors, and active for every workspace.
with registered as (
  insert into model_version (key, version, state, description, authored_by, approved_by, approved_at, created_at)
  values ('svc_model_prediction_v1', '1.0.0', 'approved',
    'Predictions of the serving checkpoint of a prediction model from rows of its columns.',
    'assay:quantitative-research', 'assay:model-risk', now(), now())
)
insert into model_alias (workspace_uid, key, alias, version, set_by, since)
values (null, 'svc_model_prediction_v1', 'active', '1.0.0', 'assay:model-risk', now());
