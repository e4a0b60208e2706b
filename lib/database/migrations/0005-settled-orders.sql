-- What custody evidence settles of orders, whether or not their portfolio exists. A later row of an order corrects or
-- withdraws the earlier one from its known_at.

create table order_settlement (
  uid text collate "C" primary key,
  workspace_uid text not null references workspace,
  environment text not null check (environment in ('sandbox', 'production')),
  order_uid text not null collate "C" references batch_order,
  portfolio_key text not null collate "C",
  side text not null check (side in ('buy', 'sell')),
  symbol text collate "C",
  quantity numeric(23, 8) not null check (quantity > 0),
  currency text not null,
  amount_minor bigint not null check (abs(amount_minor) <= 9007199254740991),
  traded_on date not null,
  settled_on date,
  withdrawn boolean not null default false,
  source_hash text not null,
  known_at timestamptz not null,
  unique (order_uid, known_at)
);
create index on order_settlement (workspace_uid, environment, portfolio_key);

-- Events that are recorded already. Row-level security applies to the owner too, who has to see all rows here.
create policy of_owner on portfolio for select using ((select app_is_owner()));
create policy of_owner on portfolio_event for select using ((select app_is_owner()));
insert into order_settlement (uid, workspace_uid, environment, order_uid, portfolio_key, side, symbol, quantity, currency,
  amount_minor, traded_on, settled_on, withdrawn, source_hash, known_at)
select e.uid, e.workspace_uid, e.environment, e.order_uid, p.key, e.type, e.symbol, e.quantity, e.currency,
  e.amount_minor, e.traded_on, e.settled_on, e.withdrawn, e.source_hash, e.known_at
from portfolio_event e join portfolio p on p.uid = e.portfolio_uid where e.order_uid is not null;
drop policy of_owner on portfolio;
drop policy of_owner on portfolio_event;

alter table order_settlement enable row level security, force row level security;
create policy visible on order_settlement
  using ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()))
  with check ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()));
create trigger append_only before update or delete or truncate on order_settlement
  for each statement execute function audit_refuse_change();

-- Records the settlements of a portfolio as its events, those of one order or of all, in the transaction's tenant. An
-- order that names no symbol has no event, and neither has one that was traded before the portfolio was opened,
-- because the opening positions contain it. Returns the number of new events.
create function book_settled_orders(of_portfolio_key text, of_order text, moment timestamptz) returns integer
  language plpgsql security definer
  set search_path = public, pg_temp set lock_timeout = '5s'
as $$
      declare
        recorded timestamptz;
        booked integer;
      begin
        if app_workspace() is null then
          raise exception 'settled orders are recorded for a tenant';
        end if;
        perform pg_advisory_xact_lock(hashtextextended('portfolios ' || app_workspace() || ' ' || app_environment(), 0));
        -- Events are recorded in the order of their commits, so that a run can pin those before a moment.
        select greatest(moment, max(e.recorded_at) + interval '1 microsecond') into recorded
          from portfolio_event e where e.workspace_uid = app_workspace() and e.environment = app_environment();
        insert into portfolio_event (uid, workspace_uid, environment, portfolio_uid, order_uid, reference, type,
          traded_on, settled_on, symbol, quantity, amount_minor, currency, fees_minor, known_at, known_at_basis,
          withdrawn, source_hash, recorded_at)
        select s.uid, s.workspace_uid, s.environment, p.uid, s.order_uid, s.order_uid, s.side, s.traded_on,
          s.settled_on, s.symbol, s.quantity, s.amount_minor, s.currency, 0, s.known_at, 'imported', s.withdrawn,
          s.source_hash, recorded
        from order_settlement s
        join portfolio p on p.workspace_uid = s.workspace_uid and p.environment = s.environment
          and p.key = s.portfolio_key
        where s.workspace_uid = app_workspace() and s.environment = app_environment()
          and s.portfolio_key = of_portfolio_key and (of_order is null or s.order_uid = of_order)
          and s.symbol is not null
          -- All versions of an order are events, or none is.
          and p.opened_on <= (select max(v.traded_on) from order_settlement v where v.order_uid = s.order_uid)
          and not exists (select from portfolio_event e where e.uid = s.uid)
        order by s.order_uid, s.known_at;
        get diagnostics booked = row_count;
        return booked;
      end $$;

-- The only way in which a settled order is recorded, and becomes an event of its portfolio if that exists, in the
-- transaction's tenant. An order whose settlement no longer holds is withdrawn.
create function record_order_settlement(of_order text, settlement_uid text, of_quantity numeric, of_amount_minor bigint,
  of_settled_on date, moment timestamptz) returns void
  language plpgsql security definer
  set search_path = public, pg_temp set lock_timeout = '5s'
as $$
      declare
        known record;
        newest record;
        content text;
        known_since timestamptz;
      begin
        if app_workspace() is null then
          raise exception 'a settled order is recorded for a tenant';
        end if;
        perform pg_advisory_xact_lock(hashtextextended('portfolios ' || app_workspace() || ' ' || app_environment(), 0));
        select o.side, o.currency, o.state, b.portfolio_uid as portfolio_key, o.instrument ->> 'symbol' as symbol,
            least(b.released_at::date, of_settled_on) as traded_on
          into known
          from batch_order o join order_batch b on b.uid = o.batch_uid
          where o.uid = of_order and o.workspace_uid = app_workspace() and o.environment = app_environment();
        if not found then
          return;
        end if;
        select s.* into newest from order_settlement s where s.order_uid = of_order order by s.known_at desc limit 1;
        known_since := greatest(moment, newest.known_at + interval '1 microsecond');
        if known.state = 'settled' then
          content := encode(sha256(convert_to(concat_ws(' ', known.side, known.symbol, of_quantity, of_amount_minor,
            known.currency, of_settled_on), 'utf8')), 'hex');
          if newest.uid is not null and not newest.withdrawn and newest.source_hash = content then
            return;
          end if;
          insert into order_settlement (uid, workspace_uid, environment, order_uid, portfolio_key, side, symbol,
            quantity, currency, amount_minor, traded_on, settled_on, source_hash, known_at)
          values (settlement_uid, app_workspace(), app_environment(), of_order, known.portfolio_key, known.side,
            known.symbol, of_quantity, known.currency, of_amount_minor, known.traded_on, of_settled_on, content,
            known_since);
        elsif newest.uid is not null and not newest.withdrawn then
          insert into order_settlement (uid, workspace_uid, environment, order_uid, portfolio_key, side, symbol,
            quantity, currency, amount_minor, traded_on, settled_on, withdrawn, source_hash, known_at)
          values (settlement_uid, app_workspace(), app_environment(), of_order, known.portfolio_key, known.side,
            newest.symbol, newest.quantity, newest.currency, newest.amount_minor, newest.traded_on, newest.settled_on,
            true, newest.source_hash, known_since);
        else
          return;
        end if;
        perform book_settled_orders(known.portfolio_key, of_order, moment);
      end $$;
