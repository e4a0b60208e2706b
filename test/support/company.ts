import { inPlatform } from '#lib/database/orm.ts';
import { Company } from '#lib/workspace/company.entity.ts';
import type { Backend } from './backends.ts';

let count = 0;

/** A company of a workspace; its `company_id`. */
export function createCompany(
  backend: Pick<Backend, 'orm'>,
  workspaceUid: string,
  name?: string,
): Promise<number> {
  return inPlatform(backend.orm('operator'), async (em) => {
    const made = em.create(Company, {
      workspaceUid,
      name: name ?? `Company ${++count}`,
      createdAt: new Date(),
    });
    await em.flush();
    return made.id;
  });
}
