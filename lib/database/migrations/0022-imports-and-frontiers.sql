-- The rows that an import skipped because they were not valid.
alter table portfolio_import add column rows_rejected integer not null default 0;

-- Frontiers sealed before this migration name the model of searches, and are replayed under that name.
with registered as (
  insert into model_version (key, version, state, description, authored_by, approved_by, approved_at, created_at)
  values ('svc_frontier_v1', '1.0.0', 'approved',
    'The efficient frontier of a portfolio, exact or resampled, within limits on its weights.',
    'assay:quantitative-research', 'assay:model-risk', now(), now())
)
insert into model_alias (workspace_uid, key, alias, version, set_by, since)
values (null, 'svc_frontier_v1', 'active', '1.0.0', 'assay:model-risk', now());
