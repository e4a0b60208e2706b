-- Version 3 of the forecast model. Versions 1 and 2 stay, for the replay of their runs.

with registered as (
  insert into model_version (key, version, state, description, authored_by, approved_by, approved_at, created_at)
  values ('svc_forecast_combination_v3', '1.0.0', 'approved',
    'Forecast of a series as a combination of methods and pooled networks, with intervals and weights that depend on the length of the series.',
    'assay:quantitative-research', 'assay:model-risk', now(), now())
)
insert into model_alias (workspace_uid, key, alias, version, set_by, since)
values (null, 'svc_forecast_combination_v3', 'active', '1.0.0', 'assay:model-risk', now());
