import { approveDataset } from '#lib/data/approve-dataset.command.ts';
import { describeDataset } from '#lib/data/describe-dataset.command.ts';
import { ownNumericDataset } from '#lib/data/described-dataset.query.ts';
import { importDataset } from '#lib/data/import/load/import-dataset.command.ts';
import { isNumeric } from '#lib/data/numeric-columns.ts';
import { sampleReturns } from '#lib/data/sample.ts';
import type { ModelPersons } from './model-persons.ts';
import { governWith, person, type SampleOperators } from './sample-operators.ts';

const UNIT = 'log_return';

/**
 * Creates the dataset of the sample returns. The author describes it, and the second person approves it. Returns the id
 * of the dataset. Running this again changes nothing.
 */
export async function seedReturns(
  operators: SampleOperators,
  workspace: string,
  { author, approver }: ModelPersons,
): Promise<number> {
  const { path, dataset: name, licence, source } = sampleReturns;
  const request = { kind: 'numeric', path, workspace, dataset: name } as const;
  const { result } = await governWith(operators, importDataset, request, person(author));
  const { id } = result.report.dataset;
  const dataset = { id };
  const held = (await operators.query('everywhere', ownNumericDataset, dataset))!;
  if (held.governance.governed) return id;
  const units = Object.fromEntries(held.columns.filter(isNumeric).map((column) => [column.name, UNIT]));
  const said = { licence, source, units, owner: author };
  await governWith(operators, describeDataset, { dataset, said }, person(author));
  await governWith(operators, approveDataset, { dataset }, person(approver));
  return id;
}
