-- The versions of the terms of portfolios. A version applies from its known_at until that of the next one. The newest
-- version is also in `portfolio`, for lists.

create table portfolio_terms (
  portfolio_uid text not null collate "C",
  workspace_uid text not null,
  environment text not null,
  name text not null check (length(name) between 1 and 200),
  account_kind text not null check (account_kind in ('taxable', 'tax_exempt')),
  lot_relief text not null check (lot_relief in ('fifo', 'lifo', 'hifo', 'lofo', 'min_tax', 'specific')),
  tax_regime text not null check (tax_regime in ('united_states', 'average_cost', 'united_kingdom')),
  tax_entity text not null,
  wash_group text not null,
  benchmark text,
  known_at timestamptz not null,
  known_at_basis text not null check (known_at_basis in ('stated', 'assumed', 'imported')),
  recorded_at timestamptz not null,
  primary key (portfolio_uid, known_at),
  foreign key (portfolio_uid, workspace_uid, environment) references portfolio (uid, workspace_uid, environment)
);
create index on portfolio_terms (workspace_uid, environment);

-- The first version of existing portfolios. Row-level security applies to the owner too, who has to see all rows here.
create policy of_owner on portfolio for select using ((select app_is_owner()));
insert into portfolio_terms (portfolio_uid, workspace_uid, environment, name, account_kind, lot_relief, tax_regime,
  tax_entity, wash_group, benchmark, known_at, known_at_basis, recorded_at)
select uid, workspace_uid, environment, name, account_kind, lot_relief, tax_regime, tax_entity, wash_group, benchmark,
  least(created_at, (opened_on + 1)::timestamp at time zone 'utc' - interval '1 microsecond'), 'assumed', changed_at
from portfolio;
drop policy of_owner on portfolio;

alter table portfolio_terms enable row level security, force row level security;
create policy visible on portfolio_terms
  using ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()))
  with check ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator()));
create trigger append_only before update or delete or truncate on portfolio_terms
  for each statement execute function audit_refuse_change();
