-- The model of simulations: registered, approved by others than its authors, and active for every workspace.

with registered as (
  insert into model_version (key, version, state, description, authored_by, approved_by, approved_at, created_at)
  values ('svc_simulation_v1', '1.0.0', 'approved',
    'Paths of the wealth of a portfolio under a law, a bootstrap or a regime model, with flows and goals.',
    'assay:quantitative-research', 'assay:model-risk', now(), now())
)
insert into model_alias (workspace_uid, key, alias, version, set_by, since)
values (null, 'svc_simulation_v1', 'active', '1.0.0', 'assay:model-risk', now());
