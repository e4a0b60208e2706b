import { readConfig } from '#lib/core/config.ts';
import { isUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { databaseUrl } from '#lib/database/locate.ts';
import type { Tenant } from '#lib/database/base.ts';
import { inTenant, openOrm } from '#lib/database/orm.ts';
import { isRunKey } from '#lib/runs.ts';
import { findRun } from '#lib/pipeline/run.write.ts';
import { formSuccess } from './formed-outcome.ts';
import { sealOutcome } from './process.ts';
import type { Runner } from './runner.ts';
import { runners } from '../runners.ts';
import { replayQuestion } from '../qlms/replay-question.ts';
import { loadComputation } from './thread.ts';

/**
 * The result of a replay. `differences` names the members whose values differ from the sealed run. `engine_changed` is
 * true if they differ and the code of another release sealed the run.
 */
export type ReplayReport =
  | {
      replayed: true;
      identical: boolean;
      sealed_hash: string;
      replayed_hash: string;
      differences: string[];
      engine_changed?: true;
    }
  | { replayed: false; reason: string };

/**
 * Entry point of `assay replay`: recomputes a sealed run from its stored input and from the data revisions that the run
 * read, or evaluates the query of a sealed answer again. Compares the result with the sealed one and reports to the
 * parent process. Writes nothing to the database.
 */
const [uid, workspace, environment] = process.argv.slice(2) as [string, string, Tenant['environment']];
const config = readConfig();
const orm = openOrm(await databaseUrl(config, 'worker'), 2);
try {
  const tenant = { workspace, environment };
  process.send?.(
    isUid(uid, prefixes.qlmAnswer)
      ? await inTenant(orm, tenant, (em) => replayQuestion(em, uid), { isReadOnly: true })
      : await replay(tenant),
  );
} finally {
  await orm.close();
  process.disconnect?.();
}

async function replay(tenant: Tenant): Promise<ReplayReport> {
  const found = await inTenant(orm, tenant, (em) => findRun(em, uid));
  if (!found?.result)
    return {
      replayed: false,
      reason: `the run is ${found?.run.state ?? 'unknown'}; only a succeeded run can be replayed`,
    };
  const { run, result } = found;
  if (!isRunKey(run.kind)) return { replayed: false, reason: `the kind of run ${run.kind} does not exist` };
  const { default: runner }: { default: Runner } = await runners[run.kind]();
  const data = await inTenant(orm, tenant, (em) =>
    runner.load(em, {
      uid,
      modelKey: run.modelKey,
      input: run.input,
      datasetRevisions: run.datasetRevisions,
    }),
  );
  const compute = await loadComputation(runner.compute.href);
  const outcome = compute(run.input, data, { progress: () => {}, cancelled: () => false });
  if ('part' in outcome)
    throw new Error('the replay returned a part of the result instead of the whole result');
  if (!outcome.ok) return { replayed: false, reason: `the replay was refused: ${outcome.refusal.detail}` };
  const { seal } = sealOutcome(run, formSuccess(outcome), new Date(result.seal.sealed_at));
  const stored = result.seal.member_hashes;
  const differences = Object.keys({ ...stored, ...seal.member_hashes }).filter(
    (name) => stored[name] !== seal.member_hashes[name],
  );
  const identical = seal.hash === result.seal.hash;
  const isEngineChanged = !identical && runner.hasSameEngine?.(run.input) === false;
  return {
    replayed: true,
    identical,
    sealed_hash: result.seal.hash,
    replayed_hash: seal.hash,
    differences,
    ...(isEngineChanged ? { engine_changed: true } : {}),
  };
}
