-- The model of forecast reconciliations.

with registered as (
  insert into model_version (key, version, state, description, authored_by, approved_by, approved_at, created_at)
  values ('svc_forecast_reconciliation_v1', '1.0.0', 'approved',
    'Reconciles sealed forecasts so that totals equal the sum of their parts: minimum trace with a shrunk error covariance, structural weights, least squares, or bottom-up.',
    'assay:quantitative-research', 'assay:model-risk', now(), now())
)
insert into model_alias (workspace_uid, key, alias, version, set_by, since)
values (null, 'svc_forecast_reconciliation_v1', 'active', '1.0.0', 'assay:model-risk', now());
