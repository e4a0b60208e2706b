-- Portfolios: events and control totals. Lots, positions and cash are derived from events and are stored nowhere.

create table portfolio (
  uid text collate "C" primary key,
  workspace_uid text not null references workspace,
  environment text not null check (environment in ('sandbox', 'production')),
  key text not null collate "C" check (key ~ '^[A-Za-z0-9][A-Za-z0-9_.:-]{0,63}$'),
  name text not null check (length(name) between 1 and 200),
  base_currency text not null,
  account_kind text not null check (account_kind in ('taxable', 'tax_exempt')),
  lot_relief text not null check (lot_relief in ('fifo', 'lifo', 'hifo', 'lofo', 'min_tax', 'specific')),
  tax_regime text not null check (tax_regime in ('united_states', 'average_cost', 'united_kingdom')),
  tax_entity text not null,
  wash_group text not null,
  benchmark text,
  opened_on date not null,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  unique (workspace_uid, environment, key),
  unique (uid, workspace_uid, environment)
);
create index on portfolio (workspace_uid, environment, uid desc);
alter table portfolio enable row level security, force row level security;
create policy visible on portfolio
  using ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()))
  with check ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()));

create table portfolio_import (
  uid text collate "C" primary key,
  workspace_uid text not null references workspace,
  environment text not null check (environment in ('sandbox', 'production')),
  kind text not null check (kind in ('portfolios', 'events', 'positions', 'cash')),
  file_name text not null,
  content_hash text not null,
  rows_read integer not null,
  rows_inserted integer not null,
  rows_corrected integer not null,
  rows_unchanged integer not null,
  imported_by_uid text not null references person,
  imported_at timestamptz not null
);
create index on portfolio_import (workspace_uid, environment, uid desc);
alter table portfolio_import enable row level security, force row level security;
create policy visible on portfolio_import
  using ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()))
  with check ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()));
create trigger append_only before update or delete or truncate on portfolio_import
  for each statement execute function audit_refuse_change();

-- A row is a version of an event. A later version of the same reference is a correction, known from its known_at.
create table portfolio_event (
  uid text collate "C" primary key,
  workspace_uid text not null,
  environment text not null,
  portfolio_uid text not null collate "C",
  import_uid text collate "C" references portfolio_import,
  order_uid text collate "C" references batch_order,
  reference text not null collate "C" check (length(reference) between 1 and 200),
  type text not null check (type in ('buy', 'sell', 'transfer_in', 'transfer_out', 'dividend', 'reinvest', 'interest',
    'fee', 'deposit', 'withdraw', 'return_of_capital', 'split_override')),
  traded_on date not null,
  settled_on date,
  symbol text collate "C",
  quantity numeric(23, 8) check (quantity > 0),
  price numeric(23, 8) check (price > 0),
  amount_minor bigint check (abs(amount_minor) <= 9007199254740991),
  currency text not null,
  fees_minor bigint not null check (fees_minor between 0 and 9007199254740991),
  lot text,
  acquired_on date,
  basis_minor bigint check (basis_minor between 0 and 9007199254740991),
  known_at timestamptz not null,
  known_at_basis text not null check (known_at_basis in ('stated', 'assumed', 'imported')),
  withdrawn boolean not null default false,
  source_hash text not null,
  recorded_at timestamptz not null,
  unique (portfolio_uid, reference, known_at),
  foreign key (portfolio_uid, workspace_uid, environment) references portfolio (uid, workspace_uid, environment),
  -- An event comes from a file, or from a settled order.
  check ((import_uid is null) <> (order_uid is null))
);
create index on portfolio_event (portfolio_uid, traded_on);
create index on portfolio_event (workspace_uid, environment, uid desc);
alter table portfolio_event enable row level security, force row level security;
create policy visible on portfolio_event
  using ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()))
  with check ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()));
create trigger append_only before update or delete or truncate on portfolio_event
  for each statement execute function audit_refuse_change();

-- A position or a cash balance that a custodian reported. A later row of the same day and subject replaces it.
create table portfolio_control_total (
  uid text collate "C" primary key,
  workspace_uid text not null,
  environment text not null,
  portfolio_uid text not null collate "C",
  import_uid text not null collate "C" references portfolio_import,
  as_of date not null,
  symbol text collate "C",
  quantity numeric(23, 8),
  currency text,
  amount_minor bigint check (abs(amount_minor) <= 9007199254740991),
  recorded_at timestamptz not null,
  foreign key (portfolio_uid, workspace_uid, environment) references portfolio (uid, workspace_uid, environment),
  check ((symbol is null) = (quantity is null)),
  check ((currency is null) = (amount_minor is null)),
  check ((symbol is null) <> (currency is null))
);
create index on portfolio_control_total (portfolio_uid, as_of);
alter table portfolio_control_total enable row level security, force row level security;
create policy visible on portfolio_control_total
  using ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()))
  with check ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()));
create trigger append_only before update or delete or truncate on portfolio_control_total
  for each statement execute function audit_refuse_change();

-- The only way in which a settled order becomes an event of its portfolio, of the transaction's tenant. An order whose
-- settlement no longer holds is withdrawn. An order of an unknown portfolio, or one that names no symbol, has no event.
create function record_settled_order(of_order text, event_uid text, of_quantity numeric, of_amount_minor bigint,
  of_settled_on date, moment timestamptz) returns void
  language plpgsql security definer
  set search_path = public, pg_temp set lock_timeout = '5s'
as $$
      declare
        known record;
        newest record;
        content text;
        recorded timestamptz;
      begin
        if app_workspace() is null then
          raise exception 'a settled order is recorded for a tenant';
        end if;
        perform pg_advisory_xact_lock(hashtextextended('portfolios ' || app_workspace() || ' ' || app_environment(), 0));
        select o.side, o.currency, o.state, p.uid as portfolio_uid,
            o.instrument ->> 'symbol' as symbol,
            least(b.released_at::date, of_settled_on) as traded_on
          into known
          from batch_order o join order_batch b on b.uid = o.batch_uid
          join portfolio p on p.workspace_uid = b.workspace_uid and p.environment = b.environment
            and p.key = b.portfolio_uid
          where o.uid = of_order and o.workspace_uid = app_workspace() and o.environment = app_environment()
            and o.instrument ->> 'symbol' is not null;
        if not found then
          return;
        end if;
        -- Events are recorded in the order of their commits, so that a run can pin those before a moment.
        select greatest(moment, max(e.recorded_at) + interval '1 microsecond') into recorded
          from portfolio_event e where e.workspace_uid = app_workspace() and e.environment = app_environment();
        select e.* into newest from portfolio_event e
          where e.portfolio_uid = known.portfolio_uid and e.reference = of_order order by e.known_at desc limit 1;
        if known.state = 'settled' then
          content := encode(sha256(convert_to(concat_ws(' ', known.side, known.symbol, of_quantity, of_amount_minor,
            known.currency, of_settled_on), 'utf8')), 'hex');
          if newest.uid is not null and not newest.withdrawn and newest.source_hash = content then
            return;
          end if;
          insert into portfolio_event (uid, workspace_uid, environment, portfolio_uid, order_uid, reference, type,
            traded_on, settled_on, symbol, quantity, amount_minor, currency, fees_minor, known_at, known_at_basis,
            source_hash, recorded_at)
          values (event_uid, app_workspace(), app_environment(), known.portfolio_uid, of_order, of_order, known.side,
            known.traded_on, of_settled_on, known.symbol, of_quantity, of_amount_minor, known.currency, 0,
            greatest(moment, newest.known_at + interval '1 microsecond'), 'imported', content, recorded);
        elsif newest.uid is not null and not newest.withdrawn then
          insert into portfolio_event (uid, workspace_uid, environment, portfolio_uid, order_uid, reference, type,
            traded_on, symbol, quantity, amount_minor, currency, fees_minor, known_at, known_at_basis, withdrawn,
            source_hash, recorded_at)
          values (event_uid, app_workspace(), app_environment(), known.portfolio_uid, of_order, of_order, newest.type,
            newest.traded_on, newest.symbol, newest.quantity, newest.amount_minor, newest.currency, 0,
            greatest(moment, newest.known_at + interval '1 microsecond'), 'imported', true, newest.source_hash,
            recorded);
        end if;
      end $$;

with built_in (place, key, description) as (
  values
    (1, 'svc_tax_harvest_us_v1',
      'Proposal of lots to sell at a loss, under the wash sale rules of the United States.'),
    (2, 'svc_portfolio_construction_v1',
      'Weights and trades of a portfolio by convex optimisation under constraints.'),
    (3, 'svc_portfolio_scenarios_v1',
      'Revaluation of the positions of a portfolio in the samples of a sealed scenario run.'),
    (4, 'svc_portfolio_risk_v1',
      'Volatility, value at risk, expected shortfall, drawdowns and liquidity of a portfolio.')
), registered as (
  insert into model_version (key, version, state, description, authored_by, approved_by, approved_at, created_at)
  select key, '1.0.0', 'approved', description, 'assay:quantitative-research', 'assay:model-risk', now(), now()
  from built_in order by place
)
insert into model_alias (workspace_uid, key, alias, version, set_by, since)
select null, key, 'active', '1.0.0', 'assay:model-risk', now() from built_in order by place;
