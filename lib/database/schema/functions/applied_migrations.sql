-- Login roles cannot read the migrator's table, but they have to know whether the schema is new enough.
create function applied_migrations() returns setof text
  language sql stable security definer
  set search_path = public, pg_temp
as $$ select name from mikro_orm_migrations $$;
