-- The table of a kind of dataset whose observations are deleted when their retention is over. Prices lie in
-- partitions instead.
create function table_of_observations(kind text) returns text
  language sql immutable
  set search_path = public, pg_temp
as $$
          select case kind when 'corporate_actions' then 'corporate_action' when 'fundamentals' then 'fundamental'
            when 'economics' then 'economic_observation' when 'metrics' then 'company_metric' end
        $$;
