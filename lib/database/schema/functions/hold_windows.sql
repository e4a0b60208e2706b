-- The use of a day and of a month, locked until the transaction ends. The day always comes first, so that no two
-- transactions wait for each other.
create function hold_windows(of_delegation text, of_day text, of_month text, day_cap bigint, month_cap bigint)
  returns table (kind text, reserved bigint, settled bigint)
  language plpgsql
as $$
      begin
        insert into delegation_window
          select d.uid, d.workspace_uid, d.environment, place.kind, place.key, place.cap, 0, 0
          from delegation d
          cross join (values (1, 'day', of_day, day_cap), (2, 'month', of_month, month_cap)) place (at, kind, key, cap)
          where d.uid = of_delegation order by place.at
          on conflict do nothing;
        return query select w.kind, w.reserved, w.settled from delegation_window w
          where w.delegation_uid = of_delegation and (w.kind, w.key) in (('day', of_day), ('month', of_month))
          order by w.kind for update;
      end $$;
