-- The model of tournaments: registered, approved by others than its authors, and active for every workspace.

with registered as (
  insert into model_version (key, version, state, description, authored_by, approved_by, approved_at, created_at)
  values ('svc_model_tournament_v1', '1.0.0', 'approved',
    'Comparison of forecasting methods on rolling origins, by tests of equal accuracy and a model confidence set.',
    'assay:quantitative-research', 'assay:model-risk', now(), now())
)
insert into model_alias (workspace_uid, key, alias, version, set_by, since)
values (null, 'svc_model_tournament_v1', 'active', '1.0.0', 'assay:model-risk', now());
