import { readFileSync } from 'node:fs';
import type { Backend } from './backends.ts';
import { buildTenancy, type Tenancy } from './build.ts';
import { assay } from './cli.ts';
import { clientOf } from './client.ts';
import { importNumericDataset } from './numeric-dataset.ts';

/** Real monthly log returns of ten stocks, 1990-02 to 2022-12. */
export const MONTHLY_RETURNS = readFileSync(
  new URL('../golden/monthly_logret_10.csv', import.meta.url),
  'utf8',
)
  .trim()
  .split('\n')
  .map((line, at) => (at === 0 ? line.trim().replace('Date', 'date') : line.trim()));

export const FACTORS = MONTHLY_RETURNS[0]!.split(',').slice(1);

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
    dataset: known,
  }: {
    lines?: readonly string[];
    maxAgeDays?: number;
    factors?: readonly string[];
    key?: string;
    dataset?: number | undefined;
  } = {},
): Promise<{ uid: string; key: string; dataset: number }> {
  count += 1;
  const names = lines[0]!.split(',').slice(1);
  const dataset =
    known ??
    (await importNumericDataset(backend, tenancy, {
      name: `returns-${count}`,
      lines,
      units: names.map((name) => `${name}=log_return`).join(','),
    }));
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

/** The dataset and the trained model that the makers below use again for the same credential. */
const made = new Map<string, { dataset: number; trained?: string }>();

/** A model of two factors that is written and no more. */
export async function createModel(backend: Backend, tenancy: Tenancy): Promise<string> {
  const dataset = made.get(tenancy.key)?.dataset;
  const model = await writeModel(backend, tenancy, { factors: ['KO', 'XOM'], dataset });
  if (dataset === undefined) made.set(tenancy.key, { dataset: model.dataset });
  return model.uid;
}

/** A sealed evaluation. */
export async function createEvaluation(backend: Backend, tenancy: Tenancy): Promise<string> {
  const post = clientOf(backend, tenancy.key).post;
  let model = made.get(tenancy.key)?.trained;
  if (model === undefined) {
    model = await createModel(backend, tenancy);
    await post(`/lqm/models/${model}/trainings`, {});
    made.get(tenancy.key)!.trained = model;
  }
  const { status, body } = await post(`/lqm/models/${model}/evaluations`, {});
  if (status !== 201) throw new Error(JSON.stringify(body));
  return body.uid;
}

/** A sealed run of scenarios; of two factors where no model serves the workspace yet. */
export async function createScenarioRun(
  backend: Backend,
  tenancy: Tenancy,
  path: '/generative/scenarios' | '/ml/scenarios' = '/generative/scenarios',
): Promise<string> {
  const named = path === '/ml/scenarios' ? { model: 'served' } : {};
  const request = { ...named, regime: 'ergodic', samples: 100 };
  const draw = () => clientOf(backend, tenancy.key).post(path, request);
  let { status, body } = await draw();
  if (status === 404 || body.code === 'model_not_approved') {
    await serveModel(backend, tenancy, { factors: ['KO', 'XOM'], key: 'served' });
    ({ status, body } = await draw());
  }
  if (status !== 201) throw new Error(JSON.stringify(body));
  return body.uid;
}
