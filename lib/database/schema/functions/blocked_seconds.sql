-- For how long the most blocked of the keys stays blocked.
create function blocked_seconds(keys text[]) returns double precision
  language sql stable security definer
  set search_path = public, pg_temp
as $$
          select coalesce(max(extract(epoch from blocked_until - clock_timestamp())), 0)::double precision
          from penalty where key = any(keys) and blocked_until > clock_timestamp()
        $$;
