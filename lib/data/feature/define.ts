import type { NamedPerson } from '#lib/access/named-person.query.ts';
import { checkDefinition, type FeatureDefinition } from './definition.ts';
import type { EntityType, FeatureFrequency } from './kind.ts';

/** The parts of a definition that distinguish versions of a feature. */
export type ComputedVersion = {
  unit: string;
  frequency: FeatureFrequency;
  datasetId: number;
  expression: string;
  maxAgeDays: number;
};

export type DefineFacts = {
  /** The owner that the definition names; undefined if the workspace does not have this person. */
  owner: NamedPerson | undefined;
  /**
   * The dataset, if the workspace may read it. `denial` is the reason why the workspace may not derive data from the
   * dataset.
   */
  dataset: { id: number; kind: string; denial?: string | null | undefined } | undefined;
  known:
    | {
        status: 'active' | 'retired';
        entityType: EntityType;
        description: string;
        ownerUid: string;
        last: (ComputedVersion & { version: number }) | undefined;
      }
    | undefined;
};

export type FeatureChange = 'defined' | 'version_added' | 'described' | 'unchanged';

export type DefineVerdict =
  | { ok: true; change: FeatureChange; version: number; computed: ComputedVersion }
  | {
      ok: false;
      code:
        | 'person_unknown'
        | 'dataset_unknown'
        | 'entitlement_missing'
        | 'definition_invalid'
        | 'feature_retired'
        | 'entity_type_fixed';
      detail: string;
    };

/**
 * Decides the effect of a definition on a feature. A different computation under an existing key creates a
 * further version. Earlier versions stay unchanged. Owner and description belong to the feature, not to a
 * version.
 */
export function decideFeature(
  { owner, dataset, known }: DefineFacts,
  wanted: FeatureDefinition & { owner?: string | undefined; dataset: string },
): DefineVerdict {
  const { key, entityType, unit, frequency, maxAgeDays, description } = wanted;
  if (!owner) return refused('person_unknown', `The workspace has no person ${wanted.owner}.`);
  if (!dataset) {
    return refused('dataset_unknown', `The workspace is not entitled to the dataset ${wanted.dataset}.`);
  }
  if (dataset.denial) {
    const detail = `The data entitlements do not permit deriving from ${wanted.dataset}: ${dataset.denial}.`;
    return refused('entitlement_missing', detail);
  }
  const checked = checkDefinition(wanted, dataset.kind);
  if (!checked.ok) return refused('definition_invalid', `${checked.fault.member}: ${checked.fault.reason}`);
  if (known?.status === 'retired')
    return refused('feature_retired', `The feature ${key} is retired. Use another key.`);
  if (known && known.entityType !== entityType) {
    const detail = `The entity type of ${key} is ${known.entityType} and cannot change. Use another key.`;
    return refused('entity_type_fixed', detail);
  }
  const { expression } = checked;
  const computed = { unit, frequency, datasetId: dataset.id, expression, maxAgeDays };
  const last = known?.last;
  if (last && isSame(last, computed)) {
    const isDescribed = known.description === description && known.ownerUid === owner.uid;
    return { ok: true, change: isDescribed ? 'unchanged' : 'described', version: last.version, computed };
  }
  const change = known ? 'version_added' : 'defined';
  return { ok: true, change, version: (last?.version ?? 0) + 1, computed };
}

function isSame(last: ComputedVersion, computed: ComputedVersion): boolean {
  return (Object.keys(computed) as (keyof ComputedVersion)[]).every((name) => last[name] === computed[name]);
}

function refused(code: Extract<DefineVerdict, { ok: false }>['code'], detail: string): DefineVerdict {
  return { ok: false, code, detail };
}
