import { defineCommand } from '#lib/governance/command.ts';
import { Company } from './company.entity.ts';
import { placeOfWorkspace, workspaceUnknown } from './workspace.query.ts';

/** Adds a company whose metrics the workspace follows. */
export const addCompany = defineCommand<{ workspace: string; name: string }>()({
  find: (em, { workspace }) => placeOfWorkspace(em, workspace),
  unknown: 'workspace_unknown',
  lock: async () => undefined,
  facts: (em, _locked, { workspace: workspaceUid, name }) =>
    em.count(Company, { workspaceUid, name }, { filters: false }),
  decide: (known) =>
    known ? { ok: false as const, code: 'company_exists' as const } : { ok: true as const },
  async write(em, _known, _verdict, { input: { workspace: workspaceUid, name }, now }) {
    const company = em.create(Company, { workspaceUid, name, createdAt: now });
    await em.flush();
    return { result: company };
  },
  entry: (_known, _verdict, _input, company) =>
    company && { op: 'company.created', subject: { type: 'company', uid: String(company.id) } },
  refusals: {
    workspace_unknown: workspaceUnknown,
    company_exists: ({ name }) => `The workspace already has a company named ${name}.`,
  },
});
