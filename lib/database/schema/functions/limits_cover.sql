-- Whether limits, one per currency, cover the budgets of terms.
create function limits_cover(limits jsonb, terms jsonb) returns boolean
  language sql immutable
as $$
        select exists (select from jsonb_array_elements(limits) most
          where most -> 'currency' = terms -> 'currency' and not exists (
            select from unnest(array['per_action_minor', 'per_day_minor', 'per_month_minor']) as bound
            where (terms -> 'budgets' ->> bound)::bigint > (most ->> bound)::bigint))
      $$;
