import { defineCommand, deployment, personOf, type Deployment } from '#lib/governance/command.ts';
import { findOwnedDataset, lockNamedDataset } from './dataset-place.query.ts';
import { decideRetention } from './retention.ts';
import { setRetention } from './retention.write.ts';

type Input = {
  uid: string;
  /** The number of years to keep; null to keep everything. */
  keepYears: number | null;
};

/** Sets how many years of observations a dataset keeps. Older observations may be dropped permanently. */
export const changeRetention = defineCommand<Input>()({
  async find(em, { uid }): Promise<{ workspace: string } | Deployment | undefined> {
    const found = await findOwnedDataset(em, { uid });
    return found && (found.workspace === null ? deployment : { workspace: found.workspace });
  },
  unknown: 'dataset_unknown',
  lock: (em, { uid }) => lockNamedDataset(em, { uid }),
  facts: async (_em, dataset) => dataset,
  decide: (dataset) => decideRetention(dataset),
  async write(em, { id, workspace }, _verdict, at) {
    const { keepYears } = at.input;
    await setRetention(em, {
      datasetId: id,
      workspace: workspace!,
      keepYears,
      setBy: personOf(at),
      now: at.now,
    });
    return { result: undefined };
  },
  entry: ({ uid }, verdict, { keepYears }) =>
    verdict.ok
      ? {
          op: 'dataset.retention_set',
          subject: { type: 'dataset', uid },
          details: { keep_years: keepYears },
        }
      : undefined,
  refusals: {
    dataset_unknown: 'The dataset does not exist.',
    dataset_of_platform:
      'A dataset of the platform cannot have a retention period, because all workspaces read the dataset.',
  },
});
