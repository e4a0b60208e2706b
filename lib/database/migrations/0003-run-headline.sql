-- The figures of a result that lists of sealed runs show, so that a list need not read the result. They are copied
-- from the sealed members. Null for a run that declares none or was sealed before.

alter table run_result add column headline json;
