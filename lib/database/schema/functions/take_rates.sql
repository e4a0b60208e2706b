-- The generic cell rate algorithm: `full_at` is when the quota of a key is whole again. One statement per key
-- draws on the quota and locks its row, in the order of the keys, which callers keep. Where one key has no room,
-- what was drawn before is given back.
create function take_rates(keys text[], quotas integer[], window_s integer)
  returns table (allowed boolean, full_in text)
  language plpgsql security definer
  set search_path = public, pg_temp
as $$
      declare
        moment timestamptz := clock_timestamp();
        period interval := make_interval(secs => window_s);
        step interval;
        drawn timestamptz;
        states timestamptz[] := '{}';
        seconds numeric[] := '{}';
      begin
        allowed := true;
        for i in 1 .. cardinality(keys) loop
          step := period / quotas[i];
          insert into rate_limit as r values (keys[i], moment + step)
            on conflict (key) do update set full_at = greatest(r.full_at, moment) + step
            where greatest(r.full_at, moment) + step <= moment + period
            returning full_at into drawn;
          if drawn is null then
            allowed := false;
            exit;
          end if;
          states[i] := drawn;
        end loop;
        if not allowed then
          for i in 1 .. cardinality(states) loop
            update rate_limit r set full_at = r.full_at - period / quotas[i] where r.key = keys[i];
          end loop;
          for i in 1 .. cardinality(keys) loop
            select greatest(r.full_at, moment) into drawn from rate_limit r where r.key = keys[i];
            states[i] := coalesce(drawn, moment);
          end loop;
        end if;
        for i in 1 .. cardinality(keys) loop
          seconds[i] := round(extract(epoch from states[i] - moment), 3);
        end loop;
        full_in := array_to_string(seconds, ' ');
        return next;
      end $$;
