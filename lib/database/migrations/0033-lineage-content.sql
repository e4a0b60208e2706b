-- The content of an export of lineage is compressed before it is stored. Exports of earlier releases keep their text.
alter table lineage_export add column content_gzip bytea;
alter table lineage_export alter column content_gzip set storage external;
create index on lineage_export (expires_at) where content_gzip is not null;
