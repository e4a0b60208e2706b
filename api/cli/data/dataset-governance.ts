import { InvalidArgumentError, Option, type Command } from 'commander';
import { isUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { Refusal } from '#lib/core/refusal.ts';
import { approveDataset } from '#lib/data/approve-dataset.command.ts';
import { priceBases, type PriceBasis } from '#lib/data/dataset-kind.ts';
import type { NamedDataset } from '#lib/data/dataset-place.query.ts';
import { describeDataset } from '#lib/data/describe-dataset.command.ts';
import type { DatasetDescription } from '#lib/data/describe-dataset.ts';
import {
  describedDataset,
  ownNumericDataset,
  type DescribedDataset,
} from '#lib/data/described-dataset.query.ts';
import type { NumericDataset } from '#lib/data/numeric-dataset.write.ts';
import { proofOf, withPerson, type GovernedOptions } from '../shell/governed.ts';
import { ask, asOperator } from '../shell/operator.ts';
import { checkText, withJson, words } from '../shell/options.ts';
import { print, type OutputOptions } from '../shell/output.ts';
import { provenInWorkspace } from '#lib/access/prove-person.command.ts';
import { governBy } from '../shell/govern.ts';

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

/**
 * Registers the commands that make a numeric dataset governed: one person describes the dataset, and another
 * person approves it.
 */
export function registerGovernance(group: Command): void {
  withPerson(withJson(group.command('describe <dataset>')))
    .description(
      'set the description, licence and source of a dataset; omitted options keep their values; a numeric dataset also needs an owner and units',
    )
    .option('--owner <person>', 'the person who owns a numeric dataset')
    .option('--units <list>', 'the units of columns, such as price=USD,growth=ratio')
    .option('--licence <text>', 'the licence of the data')
    .option('--source <text>', 'the source of the data')
    .option('--description <text>', 'a description of the dataset')
    .addOption(
      new Option('--price-basis <basis>', 'for prices: whether closes are adjusted for later splits').choices(
        priceBases,
      ),
    )
    .option('--workspace <uid>', 'refuse the change unless this workspace owns the dataset')
    .action(describe);
  withPerson(withJson(group.command('approve <dataset>')))
    .description(
      'approve a numeric dataset in its current state; a person who owns, imported or described it cannot approve it',
    )
    .action(approve);
  withJson(group.command('show <dataset>'))
    .description('show a numeric dataset, and whether it is governed')
    .action((text: string, options: OutputOptions) => show(datasetOf(text), options));
}

async function describe(text: string, options: DescribeOptions): Promise<void> {
  const said = saidBy(options);
  if (Object.keys(said).length === 0) throw new Refusal('nothing_said', 'give at least one option');
  const dataset = datasetOf(text);
  const { id } = await asOperator(async (operator) => {
    const input = { dataset, said, within: options.workspace };
    return (await governBy(operator, describeDataset, input, provenInWorkspace(proofOf(operator), options)))
      .result;
  });
  const described = (await ask('everywhere', describedDataset, id))!;
  if (described.kind === 'numeric') await show(dataset, options);
  else print(wordsOf(described), options);
}

function saidBy({ owner, units, priceBasis, ...texts }: DescribeOptions): DatasetDescription {
  const text = (name: 'licence' | 'source' | 'description') =>
    texts[name] === undefined ? {} : { [name]: checkText(`--${name}`, texts[name]) };
  return {
    ...text('licence'),
    ...text('source'),
    ...text('description'),
    ...(units === undefined ? {} : { units: readUnits(units) }),
    ...(owner === undefined ? {} : { owner }),
    ...(priceBasis === undefined ? {} : { priceBasis }),
  };
}

async function approve(text: string, options: OutputOptions & GovernedOptions): Promise<void> {
  const dataset = datasetOf(text);
  await asOperator((operator) =>
    governBy(operator, approveDataset, { dataset }, provenInWorkspace(proofOf(operator), options)),
  );
  await show(dataset, options);
}

/** Parses the id or uid of a dataset. */
export function datasetOf(text: string): NamedDataset {
  if (isUid(text, prefixes.dataset)) return { uid: text };
  if (/^[1-9]\d{0,8}$/.test(text)) return { id: Number(text) };
  throw new Refusal('dataset_unknown', 'a dataset is identified by its id or uid');
}

/** Parses `a=USD,b=ratio` into units by column. */
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

function wordsOf({ id, uid, kind, name, licence, source, description, priceBasis }: DescribedDataset) {
  const basis = kind === 'prices' ? { price_basis: priceBasis } : {};
  return { dataset_id: id, uid, kind, name, licence, source, description, ...basis };
}

async function show(named: NamedDataset, options: OutputOptions): Promise<void> {
  const dataset = await ask('everywhere', ownNumericDataset, named);
  if (!dataset) throw new Refusal('dataset_unknown', 'there is no such numeric dataset');
  print(present(dataset, options), options);
}

function present({ governance, ...dataset }: NumericDataset, { json }: OutputOptions) {
  return {
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
    ...(json && { snapshots: dataset.snapshots }),
    approved_by_uid: dataset.approvedBy,
    approved_at: dataset.approvedAt,
    governed: governance.governed,
    reasons: governance.governed ? [] : governance.reasons,
  };
}
