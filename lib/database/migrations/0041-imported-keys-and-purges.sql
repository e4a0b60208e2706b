-- The workspaces whose evidence packs a key of another deployment verifies; null for a key of this deployment, which
-- verifies packs of all workspaces.
alter table signing_key add column workspace_uids text[] check (
  workspace_uids is null or (cardinality(workspace_uids) > 0 and private_sealed is null)
);

create policy of_owner on evidence_pack for select using ((select app_is_owner()));
create policy of_owner on audit_entry for select using ((select app_is_owner()));
-- A retired key is of another deployment if it signed packs of imported workspaces only.
update signing_key k set workspace_uids = signed.workspaces
from (
  select p.keyid, array_agg(distinct p.workspace_uid order by p.workspace_uid) as workspaces
  from evidence_pack p group by p.keyid
  having bool_and(exists (
    select from audit_entry e where e.workspace_uid = p.workspace_uid and e.op = 'workspace.imported'
  ))
) signed
where k.keyid = signed.keyid and k.private_sealed is null;
drop policy of_owner on evidence_pack;
drop policy of_owner on audit_entry;

-- Two persons delete the old copy of a workspace that has been moved: who requested it, and when it was done. The persons
-- are those of the cell that has the workspace now.
alter table workspace_move
  add column purge_requested_by_uid text,
  add column purge_requested_at timestamptz check ((purge_requested_by_uid is null) = (purge_requested_at is null)),
  add column purged_at timestamptz check (purged_at is null or state = 'moved');
