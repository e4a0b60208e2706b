import { Migration } from '@mikro-orm/migrations';

/**
 * Prices lie in partitions of five years. They stand in a schema of their own, which no role of ours may use: whoever
 * reads or writes does so through the table, with its policy.
 *
 * The values of features stay in one table: each is found by one look into its index, backwards from a moment, and with
 * partitions that look took half as long again.
 *
 * - **range**: years from `first_year` to the one before `first_year + 5`, in UTC.
 * - **rest**: the default partition, for what is before the first range or behind the last.
 */
export class Partitions extends Migration {
  override up(): void {
    this.addSql(`
      create schema if not exists partitions;

      -- A partition's own policy counts where it is named itself; through its table the table's policy does.
      create function wall_off_partition(name text) returns void language plpgsql as $$
      begin
        execute format('alter table partitions.%I enable row level security, force row level security', name);
        execute format('create policy visible on partitions.%I using ((select app_is_owner())) with check ((select app_is_owner()))', name);
      end $$;

      create function partitioned_tables() returns table (name text, key text) stable language sql
        set search_path = public, pg_temp as $$
          select c.relname::text, a.attname::text
          from pg_partitioned_table p
          join pg_class c on c.oid = p.partrelid and c.relnamespace = 'public'::regnamespace
          join pg_attribute a on a.attrelid = c.oid and a.attnum = p.partattrs[0]
        $$;

      create function partition_ranges(of_table text)
      returns table (name text, first_day date, end_day date) stable language sql
        set search_path = public, pg_temp set timezone = 'UTC' as $$
          select c.relname::text, substring(bound from $b$FROM \\('(\\d{4}-\\d\\d-\\d\\d)$b$)::date,
            substring(bound from $b$TO \\('(\\d{4}-\\d\\d-\\d\\d)$b$)::date
          from pg_inherits i
          join pg_class c on c.oid = i.inhrelid,
          lateral pg_get_expr(c.relpartbound, c.oid) bound
          where i.inhparent = to_regclass('public.' || quote_ident(of_table)) and bound <> 'DEFAULT'
          order by 2
        $$;

      -- Filled before it is attached: so readers of the table wait for the rest alone, and not for long.
      create function add_partition(of_table text, first_year integer) returns text language plpgsql
        set search_path = public, pg_temp set timezone = 'UTC' as $$
      declare
        name text := format('%s_%s', of_table, first_year);
        key text := (select t.key from partitioned_tables() t where t.name = of_table);
        first_day date := make_date(first_year, 1, 1);
        end_day date := make_date(first_year + 5, 1, 1);
      begin
        execute format('create table partitions.%I (like public.%I including defaults including constraints including storage)', name, of_table);
        perform wall_off_partition(name);
        execute format('lock table partitions.%I in access exclusive mode', of_table || '_rest');
        execute format('with moved as (delete from partitions.%I where %I >= %L and %I < %L returning *)
          insert into partitions.%I select * from moved', of_table || '_rest', key, first_day, key, end_day, name);
        execute format('alter table public.%I attach partition partitions.%I for values from (%L) to (%L)', of_table, name, first_day, end_day);
        return name;
      end $$;

      create function partition_table(of_table text, key text, from_year integer, to_year integer) returns void
        language plpgsql set search_path = public, pg_temp as $$
      declare
        was text := of_table || '_whole';
        given record;
        renamed record;
      begin
        execute format('alter table %I rename to %I', of_table, was);
        for renamed in
          select c.relname from pg_index x join pg_class c on c.oid = x.indexrelid
          where x.indrelid = to_regclass(quote_ident(was))
        loop
          execute format('alter index %I rename to %I', renamed.relname, renamed.relname || '_whole');
        end loop;
        execute format('create table %I (like %I including all) partition by range (%I)', of_table, was, key);
        execute format('create table partitions.%I partition of %I default', of_table || '_rest', of_table);
        perform wall_off_partition(of_table || '_rest');
        for first_year in from_year .. to_year - 5 by 5 loop
          perform add_partition(of_table, first_year);
        end loop;
        execute format('alter table %I no force row level security', was);
        execute format('insert into %I select * from %I', of_table, was);
        for given in
          select acl.grantee::regrole::text as role, acl.privilege_type as privilege
          from pg_class c, aclexplode(c.relacl) acl
          where c.oid = to_regclass(quote_ident(was)) and acl.grantee not in (0, c.relowner)
        loop
          execute format('grant %s on %I to %s', given.privilege, of_table, given.role);
        end loop;
        execute format('alter table %I enable row level security, force row level security', of_table);
        for given in
          select polname as name, pg_get_expr(polqual, polrelid) as seen, pg_get_expr(polwithcheck, polrelid) as written
          from pg_policy where polrelid = to_regclass(quote_ident(was))
        loop
          execute format('create policy %I on %I using (%s) with check (%s)', given.name, of_table, given.seen, given.written);
        end loop;
        execute format('drop table %I', was);
      end $$;

      select partition_table('price', 'observed_on', 1960, 2035);
      drop function partition_table;
    `);

    // Only the owner may analyze a partition.
    this.addSql(`
      create function analyze_partitioned(of_table text) returns void language plpgsql security definer
        set search_path = public, pg_temp as $$
      begin
        if session_user not in (current_database() || '_operator', current_database() || '_worker') then
          raise insufficient_privilege using message = 'only who brings observations may have them analyzed';
        end if;
        if not exists (select from partitioned_tables() t where t.name = of_table) then
          raise undefined_table using message = of_table || ' has no partitions';
        end if;
        execute format('analyze (skip_locked) public.%I', of_table);
      end $$;
    `);
  }
}
