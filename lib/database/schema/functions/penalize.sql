-- Counts a failure. Each one beyond the patience doubles the time for which the key is blocked.
create function penalize(of_key text, patience integer, longest_s integer) returns void
  language sql security definer
  set search_path = public, pg_temp
as $$
          insert into penalty as p values (of_key, 1, now(), now() + interval '15 minutes')
          on conflict (key) do update set
            failures = case when p.forgotten_at < now() then 1 else p.failures + 1 end,
            blocked_until = case when p.forgotten_at < now() or p.failures + 1 < patience then now()
              else now() + make_interval(secs => least(longest_s, power(2, least(p.failures + 1 - patience, 20)))) end,
            forgotten_at = now() + interval '15 minutes'
        $$;
