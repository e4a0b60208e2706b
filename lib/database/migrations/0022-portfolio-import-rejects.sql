-- The rows that an import skipped because they were not valid.
alter table portfolio_import add column rows_rejected integer not null default 0;
