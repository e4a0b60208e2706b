import type { DatasetKind, PriceBasis } from './dataset-kind.ts';
import type { NamedPerson } from '#lib/access/named-person.query.ts';

/** What a person says of a dataset; what is left out stays as it was. */
export type DatasetDescription = {
  licence?: string | undefined;
  /** Where the data come from. */
  source?: string | undefined;
  description?: string | undefined;
  /** Of prices: whether closes are divided by later splits. */
  priceBasis?: PriceBasis | undefined;
  /** Of a numeric dataset: the uid of its owner, and the units of its columns. */
  owner?: string | undefined;
  units?: Readonly<Record<string, string>> | undefined;
};

export type DescriptionFacts = {
  uid: string;
  kind: DatasetKind;
  workspace: string;
  /** The person that is named as the owner; undefined if the workspace has none by this uid. */
  owner: NamedPerson | undefined;
  /** Of a numeric dataset with content. */
  numeric: { columns: readonly { name: string }[]; hasSnapshots: boolean } | undefined;
};

export type DescriptionVerdict =
  | { ok: true }
  | { ok: false; code: 'dataset_unknown' | 'dataset_not_numeric' | 'column_unknown' | 'units_sealed' }
  | { ok: false; code: 'not_prices' | 'person_unknown' | 'person_not_active'; detail: string };

/** Whether a dataset can be described so. `within` is the workspace that has to own it, where one was named. */
export function decideDescription(
  { uid, kind, workspace, owner, numeric }: DescriptionFacts,
  said: DatasetDescription,
  within: string | undefined,
): DescriptionVerdict {
  if (within !== undefined && within !== workspace) return { ok: false, code: 'dataset_unknown' };
  if (said.priceBasis !== undefined && kind !== 'prices') {
    return { ok: false, code: 'not_prices', detail: `${uid} is a dataset of ${kind}, not of prices.` };
  }
  if (kind !== 'numeric') {
    return said.owner === undefined && !said.units
      ? { ok: true }
      : { ok: false, code: 'dataset_not_numeric' };
  }
  if (said.owner !== undefined && !owner) {
    const detail = `The workspace has no person ${said.owner}.`;
    return { ok: false, code: 'person_unknown', detail };
  }
  if (owner && owner.state !== 'active') {
    return { ok: false, code: 'person_not_active', detail: `${owner.name} is ${owner.state}.` };
  }
  if (!numeric) return { ok: false, code: 'dataset_unknown' };
  if (said.units && numeric.hasSnapshots) return { ok: false, code: 'units_sealed' };
  const names = new Set(numeric.columns.map(({ name }) => name));
  const isKnown = Object.keys(said.units ?? {}).every((name) => names.has(name));
  return isKnown ? { ok: true } : { ok: false, code: 'column_unknown' };
}
