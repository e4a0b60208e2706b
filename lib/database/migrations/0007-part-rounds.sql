-- Runs that are divided in rounds. The samples of a run are numbered across its rounds, so the key of a part contains
-- its round: `first_sample` and `samples`.

alter table run_part add column round integer not null default 0 check (round >= 0);

-- The attempt that `started_at` belongs to, the latest round whose parts were queued, and the first sample of that round.
-- Null before the first start, and for a run that is not divided.
alter table dispatch add column attempt integer, add column round integer, add column round_first integer;
