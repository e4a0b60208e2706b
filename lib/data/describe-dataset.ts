import type { DatasetKind, PriceBasis } from './dataset-kind.ts';
import type { NamedPerson } from '#lib/access/named-person.query.ts';

/** A description of a dataset by a person. Omitted members keep their values. */
export type DatasetDescription = {
  licence?: string | undefined;
  /** The origin of the data, as a text for people. */
  source?: string | undefined;
  description?: string | undefined;
  /** For prices: whether closes are adjusted for later splits. */
  priceBasis?: PriceBasis | undefined;
  /** For a numeric dataset: the uid of its owner, and the units of its columns. */
  owner?: string | undefined;
  units?: Readonly<Record<string, string>> | undefined;
};

export type DescriptionFacts = {
  uid: string;
  kind: DatasetKind;
  workspace: string;
  /** The named owner; undefined if the workspace has no person with this uid. */
  owner: NamedPerson | undefined;
  /** The facts about the content. Present only for a numeric dataset that has content. */
  numeric: { columns: readonly { name: string }[]; hasSnapshots: boolean } | undefined;
};

export type DescriptionVerdict =
  | { ok: true }
  | { ok: false; code: 'dataset_unknown' | 'dataset_not_numeric' | 'column_unknown' | 'units_sealed' }
  | { ok: false; code: 'not_prices' | 'person_unknown' | 'person_not_active'; detail: string };

/**
 * Decides whether a dataset can have this description. If `within` is given, only that workspace may own the
 * dataset.
 */
export function decideDescription(
  { uid, kind, workspace, owner, numeric }: DescriptionFacts,
  said: DatasetDescription,
  within: string | undefined,
): DescriptionVerdict {
  if (within !== undefined && within !== workspace) return { ok: false, code: 'dataset_unknown' };
  if (said.priceBasis !== undefined && kind !== 'prices') {
    return {
      ok: false,
      code: 'not_prices',
      detail: `${uid} is a dataset of ${kind}, not of prices. Only price datasets have a price basis.`,
    };
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
    return {
      ok: false,
      code: 'person_not_active',
      detail: `${owner.name} cannot be the owner, because the person is ${owner.state}.`,
    };
  }
  if (!numeric) return { ok: false, code: 'dataset_unknown' };
  if (said.units && numeric.hasSnapshots) return { ok: false, code: 'units_sealed' };
  const names = new Set(numeric.columns.map(({ name }) => name));
  const isKnown = Object.keys(said.units ?? {}).every((name) => names.has(name));
  return isKnown ? { ok: true } : { ok: false, code: 'column_unknown' };
}
