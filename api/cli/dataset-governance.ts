import { InvalidArgumentError, Option, type Command } from 'commander';
import { systemClock } from '#lib/core/clock.ts';
import { isUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { Dataset, priceBases, type DatasetKind, type PriceBasis } from '#lib/data/dataset.entity.ts';
import {
  approveNumericDataset,
  describeNumericDataset,
  findNumericDataset,
  type Approved,
  type Described,
  type NumericDataset,
} from '#lib/data/numeric-dataset.repository.ts';
import type { Em } from '#lib/database/base.ts';
import { governingPerson, withPerson, type GovernedOptions } from './governed.ts';
import { asOperator, type Operator } from './operator.ts';
import { activePerson, checkText, withJson, words } from './options.ts';
import { print, type OutputOptions } from './output.ts';
import { record } from './record.ts';
import { Refusal } from '#lib/core/refusal.ts';

type DescribeOptions = OutputOptions &
  GovernedOptions & {
    owner?: string;
    units?: string;
    licence?: string;
    source?: string;
    description?: string;
    priceBasis?: PriceBasis;
    workspace?: string;
  };

const refusals: Record<Extract<Described | Approved, { ok: false }>['code'], string> = {
  dataset_unknown: 'there is no such numeric dataset',
  column_unknown: 'the dataset has no such column of numbers',
  units_sealed: 'what was put together from snapshots has the units of their features',
  owner_missing: 'a dataset without an owner is not approved: assay dataset describe --owner',
  licence_missing: 'a dataset without a licence is not approved: assay dataset describe --licence',
  unit_missing: 'every column of numbers needs a unit: assay dataset describe --units',
  approver_not_independent: 'who owns, brought or described a dataset does not approve it',
  already_approved: 'the dataset is approved as it is',
};

/** What makes a numeric dataset governed: what it is, said by one person, and the approval of another. */
export function registerGovernance(group: Command): void {
  withPerson(withJson(group.command('describe <dataset>')))
    .description('say what a dataset is, beside what was said before; of a numeric one also owner and units')
    .option('--owner <person>')
    .option('--units <list>', 'of columns, such as price=USD,growth=ratio')
    .option('--licence <text>')
    .option('--source <text>', 'where the data come from')
    .option('--description <text>')
    .addOption(
      new Option('--price-basis <basis>', 'of prices: whether closes are divided by later splits').choices(
        priceBases,
      ),
    )
    .option('--workspace <uid>', 'the workspace that has to own it')
    .action(async (text: string, options: DescribeOptions) => {
      const units = options.units === undefined ? undefined : readUnits(options.units);
      const said = Object.fromEntries(
        (['licence', 'source', 'description'] as const).flatMap((name) =>
          options[name] === undefined ? [] : [[name, checkText(`--${name}`, options[name])]],
        ),
      );
      const { owner, priceBasis } = options;
      if (Object.keys(said).length === 0 && !units && owner === undefined && priceBasis === undefined) {
        throw new Refusal('nothing_said', 'name at least one option');
      }
      const dataset = await onDataset(text, async (em, operator, { id, uid, workspace, kind }) => {
        if (options.workspace !== undefined && options.workspace !== workspace) {
          throw new Refusal('dataset_unknown', `the workspace owns no dataset ${text}`);
        }
        if (priceBasis !== undefined && kind !== 'prices') {
          throw new Refusal('not_prices', `${uid} is a dataset of ${kind}`);
        }
        const { uid: by } = await governingPerson(
          em,
          operator,
          { workspace, environment: 'sandbox' },
          options,
        );
        if (kind !== 'numeric') {
          if (options.owner !== undefined || units) throw new Refusal('dataset_not_numeric', NOT_NUMERIC);
          const told = { ...said, ...(priceBasis === undefined ? {} : { priceBasis }) };
          const described = await describeDataset(em, id, told);
          await record(em, {
            op: 'dataset.described',
            workspace,
            by,
            subject: { type: 'dataset', uid },
            details: told,
          });
          return described;
        }
        if (options.owner !== undefined) await activePerson(em, workspace, options.owner);
        const now = systemClock.now();
        const described = await describeNumericDataset(
          em,
          id,
          { ...said, owner: options.owner, units },
          { by, now },
        );
        if (!described.ok) throw new Refusal(described.code, refusals[described.code]);
        const details = {
          ...said,
          ...(units && { units }),
          ...(options.owner && { owner_uid: options.owner }),
        };
        await record(em, {
          op: 'dataset.described',
          workspace,
          by,
          subject: { type: 'dataset', uid },
          details,
        });
        return described.dataset;
      });
      if (dataset instanceof Dataset) print(wordsOf(dataset), options);
      else show(dataset, options);
    });
  withPerson(withJson(group.command('approve <dataset>')))
    .description('approve a numeric dataset as it is now, as a person who neither owns nor made it')
    .action(async (text: string, options: OutputOptions & GovernedOptions) => {
      const approved = await onDataset(text, async (em, operator, { id, uid, workspace }) => {
        const { uid: by } = await governingPerson(
          em,
          operator,
          { workspace, environment: 'sandbox' },
          options,
        );
        const decided = await approveNumericDataset(em, id, { by, now: systemClock.now() });
        const subject = { type: 'dataset', uid };
        if (decided.ok) {
          const { contentHash: content_hash, revision } = decided.dataset;
          await record(em, {
            op: 'dataset.approved',
            workspace,
            by,
            subject: { ...subject, version: revision },
            details: { content_hash, approved_hash: decided.hash },
          });
        } else if (decided.code === 'approver_not_independent') {
          await record(em, { op: 'dataset.approved', workspace, by, subject, refused: decided.code });
        }
        return decided;
      });
      if (!approved.ok) throw new Refusal(approved.code, refusals[approved.code]);
      show(approved.dataset, options);
    });
  withJson(group.command('show <dataset>'))
    .description('show a numeric dataset, and whether it is governed')
    .action(async (text: string, options: OutputOptions) => {
      const dataset = await onDataset(text, (em, _operator, { id }) => findNumericDataset(em, id));
      if (!dataset) throw new Refusal('dataset_unknown', refusals.dataset_unknown);
      show(dataset, options);
    });
}

const NOT_NUMERIC = 'only a numeric dataset has an owner and units of columns';

/** Says what a dataset of observations is, beside what was said before. */
async function describeDataset(em: Em, id: number, said: Partial<Said>): Promise<Dataset> {
  const dataset = await em.findOneOrFail(Dataset, { id });
  em.assign(dataset, said);
  return dataset;
}

type Said = Pick<Dataset, 'licence' | 'source' | 'description' | 'priceBasis'>;

function wordsOf({ id, uid, kind, name, licence, source, description, priceBasis }: Dataset) {
  const basis = kind === 'prices' ? { price_basis: priceBasis } : {};
  return { dataset_id: id, uid, kind, name, licence, source, description, ...basis };
}

type Place = { id: number; uid: string; workspace: string; kind: DatasetKind };

/** Runs a command on a dataset, in the workspace that owns it. */
function onDataset<T>(
  text: string,
  work: (em: Em, operator: Operator, dataset: Place) => Promise<T>,
): Promise<T> {
  const named = isUid(text, prefixes.dataset)
    ? { uid: text }
    : /^[1-9]\d{0,8}$/.test(text)
      ? { id: Number(text) }
      : null;
  if (named === null) throw new Refusal('dataset_unknown', 'a dataset is named by its id or uid');
  return asOperator(async (operator) => {
    const found = await operator.everywhere((em) => em.findOne(Dataset, named));
    if (!found || !found.workspaceUid) throw new Refusal('dataset_unknown', refusals.dataset_unknown);
    const { id, uid, kind, workspaceUid: workspace } = found;
    return operator.inWorkspace(workspace, (em) => work(em, operator, { id, uid, workspace, kind }));
  });
}

/** `a=USD,b=ratio` as units by column. */
function readUnits(text: string): Record<string, string> {
  return Object.fromEntries(
    words(text).map((word) => {
      const [, name, unit] = /^([^=]+)=(.{1,64})$/.exec(word) ?? [];
      if (name === undefined || unit === undefined) {
        throw new InvalidArgumentError('--units takes a list such as price=USD,growth=ratio');
      }
      return [name, unit];
    }),
  );
}

function show(dataset: NumericDataset, options: OutputOptions): void {
  const { governance } = dataset;
  print(
    {
      dataset_id: dataset.id,
      uid: dataset.uid,
      name: dataset.name,
      revision: dataset.revision,
      rows: dataset.rowCount,
      content_hash: dataset.contentHash,
      columns: dataset.columns,
      owner_uid: dataset.owner,
      licence: dataset.licence,
      source: dataset.source,
      ...(options.json && { snapshots: dataset.snapshots }),
      approved_by_uid: dataset.approvedBy,
      approved_at: dataset.approvedAt,
      governed: governance.governed,
      reasons: governance.governed ? [] : governance.reasons,
    },
    options,
  );
}
