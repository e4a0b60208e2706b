-- Version 4 of the forecast model. Earlier versions stay, for the replay of their runs.

with registered as (
  insert into model_version (key, version, state, description, authored_by, approved_by, approved_at, created_at)
  values ('svc_forecast_combination_v4', '1.0.0', 'approved',
    'Forecast of a series as a combination of methods and pooled networks, with intervals whose two sides have widths of their own.',
    'assay:quantitative-research', 'assay:model-risk', now(), now())
)
insert into model_alias (workspace_uid, key, alias, version, set_by, since)
values (null, 'svc_forecast_combination_v4', 'active', '1.0.0', 'assay:model-risk', now());
