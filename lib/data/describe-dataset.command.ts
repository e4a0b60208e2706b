import { defineCommand, personOf } from '#lib/governance/command.ts';
import { namedPerson } from '#lib/access/named-person.query.ts';
import { Dataset } from './dataset.entity.ts';
import { datasetPlace, lockNamedDataset, type NamedDataset } from './dataset-place.query.ts';
import { decideDescription, type DatasetDescription, type DescriptionFacts } from './describe-dataset.ts';
import { findWithFacts, writeDescription, type NumericDataset } from './numeric-dataset.write.ts';

type Input = {
  dataset: NamedDataset;
  said: DatasetDescription;
  /** The workspace that must own the dataset; undefined if any workspace may own it. */
  within?: string | undefined;
};

type Facts = DescriptionFacts & { id: number; held: NumericDataset | undefined };

/** Describes a dataset. Omitted parts keep their values. A numeric dataset also has an owner and units. */
export const describeDataset = defineCommand<Input>()({
  find: (em, { dataset }) => datasetPlace(em, dataset),
  unknown: 'dataset_unknown',
  lock: (em, { dataset }) => lockNamedDataset(em, dataset),
  async facts(em, { id, uid, kind }, { said }, { place: { workspace } }): Promise<Facts> {
    const held = kind === 'numeric' ? (await findWithFacts(em, id, workspace))?.dataset : undefined;
    const numeric = held && { columns: held.columns, hasSnapshots: held.snapshots !== null };
    const owner = said.owner === undefined ? undefined : await namedPerson(em, workspace, said.owner);
    return { id, uid, kind, workspace, owner, numeric, held };
  },
  decide: (facts, { said, within }) => decideDescription(facts, said, within),
  async write(em, { id, held }, _verdict, at) {
    const { said } = at.input;
    if (held) await writeDescription(em, held, said, { by: personOf(at), now: at.now });
    else em.assign(await em.findOneOrFail(Dataset, { id }), wordsOf(said));
    return { result: { id } };
  },
  entry: ({ uid, kind }, verdict, { said }) =>
    verdict.ok
      ? {
          op: 'dataset.described',
          subject: { type: 'dataset', uid },
          details: kind === 'numeric' ? numericDetails(said) : wordsOf(said),
        }
      : undefined,
  refusals: {
    dataset_unknown: 'The dataset does not exist, has no content yet, or belongs to another workspace.',
    dataset_not_numeric: 'Only a numeric dataset can have an owner and units.',
    column_unknown: 'The dataset has no numeric column with this name.',
    units_sealed:
      'The units of a dataset made from snapshots cannot be changed. They are the units of the features in the snapshots.',
  },
});

type Words = Pick<Dataset, 'licence' | 'source' | 'description' | 'priceBasis'>;

/** Returns the descriptive texts and the price basis, without omitted members. */
function wordsOf({ owner: _owner, units: _units, ...words }: DatasetDescription): Partial<Words> {
  return withoutUndefined(words);
}

function numericDetails({ owner, units, licence, source, description }: DatasetDescription) {
  return withoutUndefined({ licence, source, description, units, owner_uid: owner });
}

function withoutUndefined<T extends object>(members: T) {
  const stated = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(stated) as { [Name in keyof T]?: NonNullable<T[Name]> };
}
