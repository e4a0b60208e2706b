-- The trigger of append-only tables.
create function audit_refuse_change() returns trigger
  language plpgsql
as $$
      begin
        raise insufficient_privilege using message = format('%s is append-only', tg_table_name);
      end $$;
