/** A row of the tenant that the transaction works for. In subqueries, so that a query asks once and not for each row. */
export const OF_TENANT =
  '(workspace_uid = (select app_workspace()) and environment = (select app_environment()))';

/** The same for records that a workspace has in both environments: a table without the column `environment`. */
export function workspacePolicy(table: string): string {
  return tenantPolicy(table, 'workspace_uid = (select app_workspace()) or (select app_is_operator())');
}

/**
 * The second wall around a table with the columns `workspace_uid` and `environment`: each tenant has its own rows, the
 * operator has all. Released migrations rest on it: it is never changed.
 */
export function tenantPolicy(
  table: string,
  condition = `${OF_TENANT} or (select app_is_operator())`,
): string {
  return `
    alter table ${table} enable row level security;
    alter table ${table} force row level security;
    create policy visible on ${table} using (${condition}) with check (${condition});
  `;
}
