import { systemClock } from '#lib/core/clock.ts';
import { importFile } from '#lib/data/import/import-file.ts';
import { isNumeric } from '#lib/data/numeric-columns.ts';
import {
  approveNumericDataset,
  describeNumericDataset,
  findNumericDataset,
  type NumericDataset,
} from '#lib/data/numeric-dataset.repository.ts';
import { sampleReturns } from '#lib/data/sample.ts';
import type { Em } from '#lib/database/base.ts';
import type { LqmDefinition } from '#lib/registry/lqm.ts';
import { record } from './record.ts';
import { recordImport } from './record-import.ts';
import { Refusal } from '#lib/core/refusal.ts';
import type { ModelPersons } from './seed-model-persons.ts';

const UNIT = 'log_return';

/** What the sample model is: regimes of the sample returns, which are brought and governed first. */
export async function sampleDefinition(
  em: Em,
  workspace: string,
  persons: ModelPersons,
): Promise<LqmDefinition> {
  const { id, uid, revision, contentHash, columns } = await governedReturns(em, workspace, persons);
  return {
    family: 'regime_ghmm',
    columns: columns
      .filter(isNumeric)
      .map(({ name }) => ({ name, unit: UNIT }))
      .sort((one, other) => (one.name < other.name ? -1 : 1)),
    dataset: { id, uid, revision, content_hash: contentHash },
    regimes_max: 3,
    max_age_days: sampleReturns.maxAgeDays,
  };
}

/** The sample returns, said by the author to be what they are, and approved by the other person. */
async function governedReturns(
  em: Em,
  workspace: string,
  { author, approver }: ModelPersons,
): Promise<NumericDataset> {
  const { path, dataset, licence, source } = sampleReturns;
  const report = await importFile(em, { kind: 'numeric', path, workspace, dataset, importedBy: author });
  await recordImport(em, workspace, report, author);
  const { id, uid } = report.dataset;
  const held = (await findNumericDataset(em, id))!;
  if (held.governance.governed) return held;
  const subject = { type: 'dataset', uid };
  const units = Object.fromEntries(held.columns.filter(isNumeric).map(({ name }) => [name, UNIT]));
  const said = { licence, source, units };
  const now = systemClock.now();
  await describeNumericDataset(em, id, { ...said, owner: author }, { by: author, now });
  await record(em, {
    op: 'dataset.described',
    workspace,
    by: author,
    subject,
    details: { ...said, owner_uid: author },
  });
  const approved = await approveNumericDataset(em, id, { by: approver, now });
  if (!approved.ok) throw new Refusal(approved.code, 'the sample returns cannot be approved');
  const { revision, contentHash } = approved.dataset;
  await record(em, {
    op: 'dataset.approved',
    workspace,
    by: approver,
    subject: { ...subject, version: revision },
    details: { content_hash: contentHash, approved_hash: approved.hash },
  });
  return approved.dataset;
}
