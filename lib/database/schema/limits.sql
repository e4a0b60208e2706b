-- Counts of requests and of failed proofs of identity. They are not data: the tables are unlogged, so a crash
-- empties them, and only functions of the owner read or write them.

-- The generic cell rate algorithm: `full_at` is when the quota of a key is whole again.
create unlogged table rate_limit (
  key text primary key,
  full_at timestamptz not null
) with (fillfactor = 50);
alter table rate_limit enable row level security, force row level security;
create policy visible on rate_limit using ((select app_is_owner())) with check ((select app_is_owner()));

-- Failures to prove an identity. Each failure beyond the patience of a key doubles the time for which it is
-- blocked.
create unlogged table penalty (
  key text primary key,
  failures integer not null,
  blocked_until timestamptz not null,
  forgotten_at timestamptz not null
) with (fillfactor = 50);
alter table penalty enable row level security, force row level security;
create policy visible on penalty using ((select app_is_owner())) with check ((select app_is_owner()));
