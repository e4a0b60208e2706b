import type { Backend } from './backends.ts';
import { buildTenancy, type Tenancy } from './build.ts';
import { assay } from './cli.ts';
import { clientOf } from './client.ts';
import { FACTORS, MONTHLY_RETURNS } from './monthly-returns.ts';
import { importNumericDataset } from './numeric-dataset.ts';

export { FACTORS, MONTHLY_RETURNS };

let count = 0;

/** A version of a regime model on a governed dataset; not trained. */
export async function writeModel(
  backend: Backend,
  tenancy: Pick<Tenancy, 'workspace' | 'person'>,
  {
    lines = MONTHLY_RETURNS,
    maxAgeDays = 36_500,
    factors = FACTORS,
    key,
  }: { lines?: readonly string[]; maxAgeDays?: number; factors?: readonly string[]; key?: string } = {},
): Promise<{ uid: string; key: string; dataset: number }> {
  const names = lines[0]!.split(',').slice(1);
  const dataset = await importNumericDataset(backend, tenancy, {
    name: `returns-${++count}`,
    lines,
    units: names.map((name) => `${name}=log_return`).join(','),
  });
  const { json, stderr } = await assay(
    backend,
    'lqm',
    'create',
    '--workspace',
    tenancy.workspace,
    '--key',
    key ?? `regimes_${count}`,
    '--name',
    'Regimes',
    '--dataset',
    String(dataset),
    '--factors',
    factors.join(','),
    '--max-age-days',
    String(maxAgeDays),
    '--as',
    tenancy.person,
    '--json',
  );
  if (!json?.uid) throw new Error(stderr);
  return { uid: json.uid, key: json.key, dataset };
}

/** The same, trained, evaluated, and approved by a second person: it serves. */
export async function serveModel(
  backend: Backend,
  tenancy: Tenancy,
  options: Parameters<typeof writeModel>[2] = {},
): Promise<{ uid: string; key: string; dataset: number }> {
  const model = await writeModel(backend, tenancy, options);
  const client = clientOf(backend, tenancy.key);
  for (const step of ['trainings', 'evaluations']) {
    const { status, body } = await client.post(`/lqm/models/${model.uid}/${step}`, {});
    if (status !== 201) throw new Error(JSON.stringify(body));
  }
  const { person: second } = await buildTenancy(backend, { workspace: tenancy.workspace });
  const { status, stderr } = await assay(backend, 'lqm', 'approve', model.uid, '--as', second, '--json');
  if (status !== 0) throw new Error(stderr);
  return model;
}

/** A sealed run of scenarios of a model that serves: by default of two factors. */
export async function createScenarioRun(
  backend: Backend,
  tenancy: Tenancy,
  path: '/generative/scenarios' | '/ml/scenarios' = '/generative/scenarios',
): Promise<string> {
  const { key } = await serveModel(backend, tenancy, { factors: ['KO', 'XOM'] });
  const named = path === '/ml/scenarios' ? { model: key } : {};
  const request = { ...named, regime: 'ergodic', samples: 100 };
  const { status, body } = await clientOf(backend, tenancy.key).post(path, request);
  if (status !== 201) throw new Error(JSON.stringify(body));
  return body.uid;
}
