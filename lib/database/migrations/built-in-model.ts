/**
 * A model that comes with Assay: registered, approved by others than its authors, and active for every workspace.
 * Released migrations rest on it: it is never changed.
 */
export function builtInModel(key: string, version: string, description: string): string {
  const text = (value: string) => `'${value.replaceAll("'", "''")}'`;
  return `
    insert into model_version values (${text(key)}, ${text(version)}, 'approved', ${text(description)},
      'assay:quantitative-research', 'assay:model-risk', now(), now());
    insert into model_alias (workspace_uid, key, alias, version, set_by, since)
      values (null, ${text(key)}, 'active', ${text(version)}, 'assay:model-risk', now());
  `;
}
