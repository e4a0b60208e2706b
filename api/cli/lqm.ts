import { LockMode } from '@mikro-orm/core';
import type { Command } from 'commander';
import { systemClock } from '#lib/core/clock.ts';
import type { Em } from '#lib/database/orm.ts';
import { LqmModel, LqmServing, LqmVersion } from '#lib/registry/lqm.entity.ts';
import { decideLqm, purposeOf, type LqmEvent } from '#lib/registry/lqm.ts';
import { findLqms, type LqmInVersion } from '#lib/registry/lqm.repository.ts';
import { withPerson, type GovernedOptions } from './governed.ts';
import { onRecordAs, type Place } from './on-batch.ts';
import { asOperator } from './operator.ts';
import { checkText, findWorkspace, withJson } from './options.ts';
import { print, printRows, type OutputOptions } from './output.ts';
import { placeOption } from './place-option.ts';
import { record } from './record.ts';
import { Refusal } from './refusal.ts';
import { registerCreate } from './lqm-create.ts';
import { registerReview } from './lqm-review.ts';
import { registerRuns } from './lqm-run.ts';
import { registerHistory } from './lqm-history.ts';
import { wholeNumber } from './whole-number.ts';

const refusals: Record<Extract<ReturnType<typeof decideLqm>, { ok: false }>['code'], string> = {
  model_not_evaluated: 'train and evaluate it first',
  evaluation_failed: 'its evaluation was not passed',
  approver_is_author: 'who wrote a version does not approve it',
  model_approved: 'it is approved already, and serves',
  model_superseded: 'a newer version is approved: retire that one first',
  model_retired: 'it is retired',
};

export function register(program: Command): void {
  const group = program
    .command('lqm')
    .description('numeric models: versions, approval, and which one serves');
  registerCreate(group);
  withJson(group.command('list'))
    .description('list the versions, newest first')
    .requiredOption('--workspace <uid>')
    .addOption(placeOption())
    .action(list);
  withPerson(withJson(group.command('approve <model>')))
    .description(
      'let a version serve, or serve again, as another person than its author: generative runs, or its predictions',
    )
    .option('--version <n>', 'default: the newest')
    .action((uid: string, options: DecideOptions) => decide('approve', uid, options));
  withPerson(withJson(group.command('retire <model>')))
    .description('take a version out of use for ever')
    .option('--version <n>', 'default: the newest')
    .requiredOption('--reason <text>', 'why; it is kept with the version')
    .action((uid: string, options: DecideOptions) => decide('retire', uid, options));
  registerRuns(group);
  registerHistory(group);
  registerReview(group);
}

async function list({ workspace, environment, ...options }: OutputOptions & Place): Promise<void> {
  const found = await asOperator((operator) =>
    operator.inWorkspace(
      workspace,
      async (em) => {
        await findWorkspace(em, workspace);
        return findLqms(em, {});
      },
      environment,
    ),
  );
  printRows(found.map(row), options);
}

function row({
  modelUid,
  key,
  family,
  version,
  state,
  passed,
  serves,
  checkpointHash,
  definition,
}: LqmInVersion) {
  return {
    uid: modelUid,
    key,
    family,
    version,
    state,
    passed,
    serves,
    factors: definition.columns.length,
    checkpoint_hash: checkpointHash,
  };
}

type DecideOptions = OutputOptions & GovernedOptions & { version?: string; reason?: string };

async function decide(event: LqmEvent, uid: string, options: DecideOptions): Promise<void> {
  const reason = options.reason === undefined ? null : checkText('--reason', options.reason);
  const version =
    options.version === undefined ? undefined : wholeNumber('--version', options.version, [1, 2 ** 31]);
  const about = {
    find: (em: Em) => em.findOne(LqmModel, { uid }, { filters: false }),
    code: 'model_unknown',
    what: 'numeric model',
  };
  const decided = await onRecordAs(about, options, async (em, { uid: by }) => {
    await em.findOneOrFail(LqmModel, { uid }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    const [found] = await findLqms(em, { model: uid, version, most: 1 });
    if (!found) throw new Refusal('version_unknown', 'the model has no such version');
    const [newest] = await findLqms(em, { model: uid, state: 'approved', most: 1 });
    const superseded = newest !== undefined && newest.version > found.version;
    const { state, authorUid: author, passed, serves } = found;
    const verdict = decideLqm({ state, author, passed, serves, superseded }, event, by);
    if (verdict.ok) await writeDecision(em, found, { event, by, reason });
    await record(em, {
      op: event === 'approve' ? 'lqm.approved' : 'lqm.retired',
      by,
      ...placeOf(await em.findOneOrFail(LqmModel, { uid })),
      subject: { type: 'lqm_model', uid },
      ...(verdict.ok ? {} : { refused: verdict.code }),
      details: { version: found.version, checkpoint_hash: found.checkpointHash, ...(reason && { reason }) },
    });
    return verdict.ok ? { ...verdict, version: found.version } : verdict;
  });
  if (!decided.ok) throw new Refusal(decided.code, refusals[decided.code]);
  print({ uid, version: decided.version, state: decided.next }, options);
}

function placeOf({ workspaceUid: workspace, environment }: LqmModel) {
  return { workspace, environment };
}

export async function writeDecision(
  em: Em,
  found: LqmInVersion,
  { event, by, reason }: { event: LqmEvent; by: string; reason: string | null },
): Promise<void> {
  const now = systemClock.now();
  const version = await em.findOneOrFail(LqmVersion, { uid: found.versionUid });
  if (event === 'approve' && found.state !== 'approved') {
    em.assign(version, {
      evaluationUid: found.evaluationUid,
      checkpointHash: found.checkpointHash,
      approvedByUid: by,
      approvedAt: now,
    });
  } else if (event === 'retire')
    em.assign(version, { retiredByUid: by, retiredAt: now, retiredReason: reason });
  if (event === 'retire' && !found.serves) return;
  const { workspaceUid, environment } = version;
  const purpose = purposeOf(found.family);
  em.create(LqmServing, {
    workspaceUid,
    environment,
    purpose,
    modelUid: purpose === 'prediction' ? found.modelUid : null,
    versionUid: event === 'approve' ? found.versionUid : null,
    setByUid: by,
    since: now,
  });
}
