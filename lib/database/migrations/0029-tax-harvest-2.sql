-- Version 2 of the tax harvest. Version 1 stays, for the replay of its runs.

with registered as (
  insert into model_version (key, version, state, description, authored_by, approved_by, approved_at, created_at)
  values ('svc_tax_harvest_us_v2', '1.0.0', 'approved',
    'Proposal of lots to sell at a loss, under the wash sale rules of the United States, with replacements from a factor run, a sector or a list.',
    'assay:quantitative-research', 'assay:model-risk', now(), now())
)
insert into model_alias (workspace_uid, key, alias, version, set_by, since)
values (null, 'svc_tax_harvest_us_v2', 'active', '1.0.0', 'assay:model-risk', now());
