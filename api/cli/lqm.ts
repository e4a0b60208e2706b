import { LockMode } from '@mikro-orm/core';
import { Option, type Command } from 'commander';
import { systemClock } from '#lib/core/clock.ts';
import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { canonicalHash } from '#lib/core/seal.ts';
import type { Em } from '#lib/database/orm.ts';
import { isNumeric } from '#lib/data/numeric-columns.ts';
import { findNumericDataset } from '#lib/data/numeric-dataset.repository.ts';
import { LqmModel, LqmServing, LqmVersion } from '#lib/registry/lqm.entity.ts';
import {
  decideLqm,
  lqmFamilies,
  type LqmDefinition,
  type LqmEvent,
  type LqmFamily,
} from '#lib/registry/lqm.ts';
import { findLqms, type LqmInVersion } from '#lib/registry/lqm.repository.ts';
import { withPerson, type GovernedOptions } from './governed.ts';
import { inPlaceAs, onRecordAs, type Place } from './on-batch.ts';
import { asOperator } from './operator.ts';
import { checkText, findWorkspace, withJson, words } from './options.ts';
import { print, printRows, type OutputOptions } from './output.ts';
import { placeOption } from './place-option.ts';
import { record } from './record.ts';
import { Refusal } from './refusal.ts';
import { registerReview } from './lqm-review.ts';

type CreateOptions = OutputOptions &
  GovernedOptions &
  Place & {
    key: string;
    name: string;
    family: LqmFamily;
    dataset: string;
    factors?: string;
    regimesMax: string;
    maxAgeDays: string;
  };

const refusals: Record<Extract<ReturnType<typeof decideLqm>, { ok: false }>['code'], string> = {
  model_not_evaluated: 'train and evaluate it first',
  evaluation_failed: 'its evaluation was not passed',
  approver_is_author: 'who wrote a version does not approve it',
  model_approved: 'it is approved already',
  model_retired: 'it is retired',
};

export function register(program: Command): void {
  const group = program
    .command('lqm')
    .description('numeric models: versions, approval, and which one serves');
  withPerson(withJson(group.command('create')))
    .description(
      'write a version of a model on a governed dataset of monthly log returns; the first makes the model',
    )
    .requiredOption('--workspace <uid>')
    .addOption(placeOption())
    .requiredOption('--key <key>', 'unique in the workspace; the same key again is the next version')
    .requiredOption('--name <name>')
    .addOption(new Option('--family <family>').choices(lqmFamilies).default('regime_ghmm'))
    .requiredOption('--dataset <id>', 'a governed numeric dataset with a day in each row')
    .option('--factors <list>', 'columns by comma; default: all columns of numbers')
    .option('--regimes-max <n>', 'the most regimes that are tried, 1 to 3', '3')
    .option('--max-age-days <n>', 'how old the newest month of the data may be when the model serves', '45')
    .action(create);
  withJson(group.command('list'))
    .description('list the versions, newest first')
    .requiredOption('--workspace <uid>')
    .addOption(placeOption())
    .action(list);
  withPerson(withJson(group.command('approve <model>')))
    .description('let a version serve generative runs, as another person than its author')
    .option('--version <n>', 'default: the newest')
    .action((uid: string, options: DecideOptions) => decide('approve', uid, options));
  withPerson(withJson(group.command('retire <model>')))
    .description('take a version out of use for ever')
    .option('--version <n>', 'default: the newest')
    .requiredOption('--reason <text>', 'why; it is kept with the version')
    .action((uid: string, options: DecideOptions) => decide('retire', uid, options));
  registerReview(group);
}

async function create(options: CreateOptions): Promise<void> {
  const { workspace, environment, key, family } = options;
  const name = checkText('--name', options.name);
  if (!/^[a-z][a-z0-9_]{0,63}$/.test(key))
    throw new Refusal('key_invalid', '--key takes a word of a-z, 0-9 and _');
  const made = await inPlaceAs(options, options, async (em, { uid: by }) => {
    const definition = await definitionOf(em, options);
    const model =
      (await em.findOne(LqmModel, { key })) ??
      em.create(LqmModel, {
        uid: newUid(prefixes.lqmModel),
        workspaceUid: workspace,
        environment,
        key,
        name,
        family,
        createdByUid: by,
        createdAt: systemClock.now(),
      });
    await em.flush();
    const [newest] = await findLqms(em, { model: model.uid, most: 1 });
    const version = em.create(LqmVersion, {
      uid: newUid(prefixes.lqmVersion),
      workspaceUid: workspace,
      environment,
      modelUid: model.uid,
      version: (newest?.version ?? 0) + 1,
      definition,
      contentHash: canonicalHash(definition),
      authorUid: by,
      createdAt: systemClock.now(),
      evaluationUid: null,
      checkpointHash: null,
      approvedByUid: null,
      approvedAt: null,
      retiredByUid: null,
      retiredAt: null,
      retiredReason: null,
    });
    await record(em, {
      op: 'lqm.version_written',
      by,
      workspace,
      environment,
      subject: { type: 'lqm_model', uid: model.uid },
      details: { version: version.version, content_hash: version.contentHash },
    });
    return {
      uid: model.uid,
      key,
      version: version.version,
      version_uid: version.uid,
      factors: definition.columns.length,
    };
  });
  print(made, options);
}

async function definitionOf(em: Em, options: CreateOptions): Promise<LqmDefinition> {
  const dataset = await findNumericDataset(em, whole('--dataset', options.dataset, [1, 2 ** 31]));
  if (!dataset) throw new Refusal('dataset_unknown', 'the workspace has no such numeric dataset');
  if (!dataset.governance.governed)
    throw new Refusal(
      'dataset_not_governed',
      `the dataset is not governed: ${dataset.governance.reasons.join(', ')}`,
    );
  if (!dataset.hasDates) throw new Refusal('dataset_without_days', 'the rows of the dataset have no days');
  const numeric = dataset.columns.filter(isNumeric);
  const wanted = options.factors === undefined ? numeric.map(({ name }) => name) : words(options.factors);
  const columns = [...new Set(wanted)].sort().map((name) => {
    const column = numeric.find((each) => each.name === name);
    if (!column) throw new Refusal('column_unknown', `the dataset has no column of numbers ${name}`);
    return { name, unit: column.unit! };
  });
  if (columns.length > 50)
    throw new Refusal('too_many_factors', 'a model has 50 factors at most: name them by --factors');
  return {
    family: options.family,
    columns,
    dataset: {
      id: dataset.id,
      uid: dataset.uid,
      revision: dataset.revision,
      content_hash: dataset.contentHash,
    },
    regimes_max: whole('--regimes-max', options.regimesMax, [1, 3]),
    max_age_days: whole('--max-age-days', options.maxAgeDays, [1, 36_600]),
  };
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

function row({ modelUid, key, version, state, passed, serves, checkpointHash, definition }: LqmInVersion) {
  return {
    uid: modelUid,
    key,
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
    options.version === undefined ? undefined : whole('--version', options.version, [1, 2 ** 31]);
  const about = {
    find: (em: Em) => em.findOne(LqmModel, { uid }, { filters: false }),
    code: 'model_unknown',
    what: 'numeric model',
  };
  const decided = await onRecordAs(about, options, async (em, { uid: by }) => {
    await em.findOneOrFail(LqmModel, { uid }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    const [found] = await findLqms(em, { model: uid, version, most: 1 });
    if (!found) throw new Refusal('version_unknown', 'the model has no such version');
    const verdict = decideLqm(
      { state: found.state, author: found.authorUid, passed: found.passed },
      event,
      by,
    );
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
  if (event === 'approve') {
    em.assign(version, {
      evaluationUid: found.evaluationUid,
      checkpointHash: found.checkpointHash,
      approvedByUid: by,
      approvedAt: now,
    });
  } else em.assign(version, { retiredByUid: by, retiredAt: now, retiredReason: reason });
  if (event === 'retire' && !found.serves) return;
  const { workspaceUid, environment } = version;
  const serving = { workspaceUid, environment, purpose: 'generative' as const, setByUid: by, since: now };
  em.create(LqmServing, { ...serving, versionUid: event === 'approve' ? found.versionUid : null });
}

function whole(option: string, text: string, [least, most]: readonly [number, number]): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < least || value > most)
    throw new Refusal('number_invalid', `${option} takes a whole number from ${least} to ${most}`);
  return value;
}
