-- Whether every dataset in a partition has let it go. A dataset without a stated retention keeps everything, and a
-- partition in which no dataset is found stays.
create function is_unwanted(partition text, end_day date) returns boolean
  language sql
  set search_path = public, pg_temp
  set timezone = 'UTC'
as $$
          select coalesce(bool_and(coalesce(end_day <= current_date - make_interval(years => r.keep_years), false)), false)
          from datasets_in_partition(partition) held (id) left join dataset_retention r on r.dataset_id = held.id
        $$;
