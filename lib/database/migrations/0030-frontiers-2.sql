-- Version 2 of the frontier model. Version 1 stays, for the replay of its runs.

with registered as (
  insert into model_version (key, version, state, description, authored_by, approved_by, approved_at, created_at)
  values ('svc_frontier_v2', '1.0.0', 'approved',
    'The efficient frontier of a portfolio, exact or resampled, within limits on its weights and turnover, with the portfolio of an objective, and after costs and taxes on request.',
    'assay:quantitative-research', 'assay:model-risk', now(), now())
)
insert into model_alias (workspace_uid, key, alias, version, set_by, since)
values (null, 'svc_frontier_v2', 'active', '1.0.0', 'assay:model-risk', now());
