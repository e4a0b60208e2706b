import type { Operation } from '#lib/core/operation.ts';
import { OwnMetric } from '#lib/data/metric.entity.ts';
import { inPlatform } from '#lib/database/orm.ts';
import { Company } from '#lib/access/company.entity.ts';
import type { Backend } from './backends.ts';
import type { Tenancy } from './build.ts';
import { importCsv } from './import.ts';

let count = 0;

/** Creates a company of a workspace and returns its `company_id`. */
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

let defined = 0;

/**
 * Creates a metric of a workspace for a new company, with values of one period or of five periods. Returns
 * the name of the metric. Each new name sorts after the previous name.
 */
export async function createMetric(
  backend: Backend,
  { workspace, person }: Tenancy,
  { path }: Operation,
): Promise<string> {
  const name = `metric_${String((defined += 1)).padStart(6, '0')}`;
  const said = { name, unit: 'count', kind: 'level', isSigned: false, description: 'A test.' } as const;
  await inPlatform(backend.orm('operator'), async (em) => {
    em.create(OwnMetric, { workspaceUid: workspace, ...said, createdByUid: person, createdAt: new Date() });
    await em.flush();
  });
  const company = await createCompany(backend, workspace);
  const years = path.endsWith('/observations') ? [2015, 2016, 2017, 2018, 2019] : [2019];
  await importCsv(backend, workspace, 'metrics', [
    'company_id,metric,period,value',
    ...years.map((year) => `${company},${name},${year},${year - 2000}`),
  ]);
  return name;
}
