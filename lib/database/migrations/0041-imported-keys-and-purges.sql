-- The workspaces whose evidence packs a key of another deployment verifies; null for a key of this deployment, which
-- verifies packs of all workspaces.
alter table signing_key add column workspace_uids text[] check (
  workspace_uids is null or (cardinality(workspace_uids) > 0 and private_sealed is null)
);

create policy of_owner on evidence_pack for select using ((select app_is_owner()));
create policy of_owner on audit_entry for select using ((select app_is_owner()));
-- A retired key is of another deployment if it signed packs of imported workspaces only, and nothing shows that this
-- deployment created it. Each own key begins when the previous one retires, to the millisecond, and the last one is
-- active. The log of a workspace that was never imported names the keys that this deployment created later than the first.
with recursive own as (
  select keyid, valid_from from signing_key where retired_at is null
  union
  select k.keyid, k.valid_from
  from own join signing_key k on abs(extract(epoch from own.valid_from - k.retired_at)) < 0.001
)
update signing_key k set workspace_uids = signed.workspaces
from (
  select p.keyid, array_agg(distinct p.workspace_uid order by p.workspace_uid) as workspaces
  from evidence_pack p group by p.keyid
  having bool_and(exists (
    select from audit_entry e where e.workspace_uid = p.workspace_uid and e.op = 'workspace.imported'
  ))
) signed
where k.keyid = signed.keyid and k.private_sealed is null
  and not exists (select from own where own.keyid = k.keyid)
  and not exists (
    select from audit_entry e
    where e.op = 'signing_key.rotated' and e.subject_uid = k.keyid and not exists (
      select from audit_entry i where i.workspace_uid = e.workspace_uid and i.op = 'workspace.imported'
    )
  );
drop policy of_owner on evidence_pack;
drop policy of_owner on audit_entry;

-- Two persons delete the old copy of a workspace that has been moved: who requested it, and when it was done. The persons
-- are those of the cell that has the workspace now.
alter table workspace_move
  add column purge_requested_by_uid text,
  add column purge_requested_at timestamptz check ((purge_requested_by_uid is null) = (purge_requested_at is null)),
  add column purged_at timestamptz check (purged_at is null or state = 'moved');
