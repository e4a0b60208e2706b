import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { canonicalHash } from '#lib/core/seal.ts';
import { inTenant } from '#lib/database/orm.ts';
import { LqmModel, LqmVersion } from '#lib/models/registry/lqm.entity.ts';
import type { LqmDefinition } from '#lib/models/registry/lqm.ts';
import type { Backend } from './backends.ts';
import { buildTenancy, type Tenancy } from './build.ts';
import { assay } from './cli.ts';
import { clientOf } from './client.ts';
import { FACTORS, MONTHLY_RETURNS } from './monthly-returns.ts';
import { importNumericDataset } from './numeric-dataset.ts';

export { FACTORS, MONTHLY_RETURNS };

let count = 0;

/** Creates an untrained version of a regime model on a governed dataset. */
export async function writeModel(
  backend: Backend,
  tenancy: Pick<Tenancy, 'workspace' | 'person'>,
  {
    lines = MONTHLY_RETURNS,
    maxAgeDays = 36_500,
    factors = FACTORS,
    key,
    options = [],
  }: {
    lines?: readonly string[];
    maxAgeDays?: number;
    factors?: readonly string[];
    key?: string;
    /** Further options of the command, such as the family. */
    options?: readonly string[];
  } = {},
): Promise<{ uid: string; key: string; dataset: number }> {
  count += 1;
  const names = lines[0]!.split(',').slice(1);
  const dataset = await importNumericDataset(backend, tenancy, {
    name: `returns-${count}`,
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
    ...options,
    '--as',
    tenancy.person,
    '--json',
  );
  if (!json?.uid) throw new Error(stderr);
  return { uid: json.uid, key: json.key, dataset };
}

/**
 * Works like `writeModel`, then trains and evaluates the version. A second person approves it, so that the
 * version is in use.
 */
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

/** Creates a draft model of one factor, and returns its uid. */
export async function createModel(backend: Backend, tenancy: Tenancy): Promise<string> {
  return (await createDraft(backend, tenancy)).uid;
}

/** Works like `createModel`, but returns the key of the model. */
export async function createKeyedModel(backend: Backend, tenancy: Tenancy): Promise<string> {
  return (await createDraft(backend, tenancy)).key;
}

async function createDraft(backend: Backend, tenancy: Tenancy): Promise<{ uid: string; key: string }> {
  const { workspace, environment, person } = tenancy;
  const now = new Date();
  const definition: LqmDefinition = {
    family: 'regime_ghmm',
    columns: [{ name: 'KO', unit: 'log_return' }],
    dataset: { id: 1, uid: newUid(prefixes.dataset), revision: 1, content_hash: '0'.repeat(64) },
    regimes_max: 3,
    max_age_days: 45,
  };
  const [uid, key] = [newUid(prefixes.lqmModel), `model_${++count}`];
  const own = { workspaceUid: workspace, environment, createdAt: now };
  await inTenant(backend.orm('operator'), { workspace, environment }, async (em) => {
    const family = definition.family;
    em.create(LqmModel, {
      ...own,
      uid,
      key,
      name: 'Model',
      family,
      createdByUid: person,
    });
    await em.flush();
    em.create(LqmVersion, {
      ...own,
      uid: newUid(prefixes.lqmVersion),
      modelUid: uid,
      version: 1,
      definition,
      contentHash: canonicalHash(definition),
      authorUid: person,
      evaluationUid: null,
      checkpointHash: null,
      approvedByUid: null,
      approvedAt: null,
      retiredByUid: null,
      retiredAt: null,
      retiredReason: null,
    });
    await em.flush();
  });
  return { uid, key };
}
