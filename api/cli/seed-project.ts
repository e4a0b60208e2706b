import type { Em, Tenant } from '#lib/database/base.ts';
import type { WrittenDefinition } from '#lib/quant/project-definition.ts';
import { ResearchProject } from '#lib/quant/research-project.entity.ts';
import { actingPerson } from './options.ts';
import { createProject } from './project-version.ts';

const NAME = 'Momentum';

const DEFINITION: WrittenDefinition = {
  universe: { kind: 'observed' },
  features: [{ key: 'momentum_12_1' }, { key: 'volatility_12m' }],
  target: { feature: 'return_1m', horizons_months: [1, 3] },
  calendar: 'month_end',
};

/** A research project on the sample features; again changes nothing. */
export async function seedProject(em: Em, workspace: string): Promise<void> {
  em.setFilterParams('tenant', { workspace, environment: 'sandbox' } satisfies Tenant);
  if (await em.findOne(ResearchProject, { name: NAME })) return;
  const { uid: by } = await actingPerson(em, workspace, undefined);
  await createProject(em, { workspace, name: NAME, written: DEFINITION, by });
}
