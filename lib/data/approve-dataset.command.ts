import { defineCommand, personOf } from '#lib/governance/command.ts';
import { decideDatasetApproval, type ApprovalDecision } from './dataset-governance.ts';
import {
  datasetPlace,
  lockNamedDataset,
  type NamedDataset,
  type OwnedDataset,
} from './dataset-place.query.ts';
import { findWithFacts, writeApproval, type GovernedFacts } from './numeric-dataset.write.ts';

type Input = { dataset: NamedDataset };

type Facts = OwnedDataset & { found: GovernedFacts | undefined };

type ApprovalVerdict = ApprovalDecision | { ok: false; code: 'dataset_unknown' };

/**
 * Approves the current state of a numeric dataset. The approver must not own the dataset, and must not have imported or
 * described it.
 */
export const approveDataset = defineCommand<Input>()({
  find: (em, { dataset }) => datasetPlace(em, dataset),
  unknown: 'dataset_unknown',
  lock: (em, { dataset }) => lockNamedDataset(em, dataset),
  async facts(em, locked, _input, { place }): Promise<Facts> {
    return { ...locked, found: await findWithFacts(em, locked.id, place.workspace) };
  },
  decide: ({ found }, _input, at): ApprovalVerdict =>
    found ? decideDatasetApproval(found.facts, personOf(at)) : { ok: false, code: 'dataset_unknown' },
  async write(em, { found }, _verdict, at) {
    const { dataset, facts } = found!;
    await writeApproval(em, dataset, { hash: facts.presentHash, by: personOf(at), now: at.now });
    return { result: { id: dataset.id } };
  },
  entry({ uid, found }, verdict) {
    const op = 'dataset.approved';
    const subject = { type: 'dataset', uid };
    if (!verdict.ok) return verdict.code === 'approver_not_independent' ? { op, subject } : undefined;
    const { dataset, facts } = found!;
    const { contentHash: content_hash, revision: version } = dataset;
    const details = { content_hash, approved_hash: facts.presentHash };
    return { op, subject: { ...subject, version }, details };
  },
  refusals: {
    dataset_unknown: 'There is no such numeric dataset.',
    owner_missing: 'The dataset has no owner. Set one with: assay dataset describe --owner.',
    licence_missing: 'The dataset has no licence. Set one with: assay dataset describe --licence.',
    unit_missing: 'A numeric column has no unit. Set it with: assay dataset describe --units.',
    approver_not_independent: 'A person who owns, imported or described a dataset cannot approve it.',
    already_approved: 'The current state of the dataset is already approved.',
  },
});
