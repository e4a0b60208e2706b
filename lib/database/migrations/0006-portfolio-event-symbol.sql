-- For the portfolios that hold a company.
create index on portfolio_event (workspace_uid, environment, symbol);
