import type { Em } from '#lib/database/base.ts';
import { Company } from './company.entity.ts';
import { findWorkspace } from './workspace.query.ts';

/** Returns the companies of a workspace, in order of creation. */
export async function listCompanies(em: Em, workspace: string): Promise<Company[]> {
  await findWorkspace(em, workspace);
  return em.find(Company, { workspaceUid: workspace }, { filters: false, orderBy: { id: 'asc' } });
}
