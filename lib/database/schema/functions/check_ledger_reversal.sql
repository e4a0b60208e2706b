-- A reversal matches its original, and is not itself reversed.
create function check_ledger_reversal() returns trigger
  language plpgsql
as $$
      begin
        if not exists (
          select from ledger_transaction o
          where o.uid = new.reverses_uid and o.account_uid = new.account_uid and o.amount_minor = new.amount_minor
            and o.direction <> new.direction and o.reverses_uid is null
        ) then
          raise check_violation using message = 'a reversal has the account and amount of its original, and the opposite direction';
        end if;
        return null;
      end $$;
