-- Version 2 of the forecast model. Version 1 stays, for the replay of its runs.

with registered as (
  insert into model_version (key, version, state, description, authored_by, approved_by, approved_at, created_at)
  values ('svc_forecast_combination_v2', '1.0.0', 'approved',
    'Forecast of a series as a combination of methods and pooled networks, with intervals widened by the backtest.',
    'assay:quantitative-research', 'assay:model-risk', now(), now())
)
insert into model_alias (workspace_uid, key, alias, version, set_by, since)
values (null, 'svc_forecast_combination_v2', 'active', '1.0.0', 'assay:model-risk', now());
