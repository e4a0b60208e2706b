-- Queries through the partitioned table are subject to the policy of the table. This policy applies where a
-- partition is named itself.
create function wall_off_partition(name text) returns void
  language plpgsql
as $$
      begin
        execute format('alter table partitions.%I enable row level security, force row level security', name);
        execute format('create policy visible on partitions.%I using ((select app_is_owner())) with check ((select app_is_owner()))', name);
      end $$;
