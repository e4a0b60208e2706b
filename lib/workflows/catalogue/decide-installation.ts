import { canonicalHash } from '#lib/core/seal.ts';
import { checkParameters, type ParameterFault, type ParameterValues } from '../parameters.ts';
import { isLive } from './installation-states.ts';
import type { LibraryItem } from './library-item.ts';

/** The item that a caller requests to install. Without a version, the newest published version is installed. */
export type InstallationRequest = {
  key: string;
  version?: number | undefined;
  parameters?: Readonly<Record<string, unknown>> | undefined;
  replaces?: string | undefined;
};

/** The part of an installation that the decision reads. */
export type KnownInstallation = {
  uid: string;
  key: string;
  version: number;
  parametersHash: string;
  supersededAt?: Date | null | undefined;
  removedAt?: Date | null | undefined;
};

export type InstallationFacts<I extends KnownInstallation> = {
  /** The items of the key, newest version first. */
  items: readonly LibraryItem[];
  /** The live installation of the key; null if there is none. */
  live: I | null;
  /** The installation that the request replaces; null if it does not exist in this workspace and environment. */
  replaced: I | null;
  /** The installation that has already replaced `replaced`; null if there is none. */
  successor: I | null;
  /** For each version, the requirements of the item to which the workspace is not entitled. */
  missingEntitlements(item: LibraryItem): string[];
};

export type InstallationVerdict<I extends KnownInstallation> =
  | { ok: true; existing: I }
  | {
      ok: true;
      existing: null;
      item: LibraryItem;
      parameters: ParameterValues;
      parametersHash: string;
      supersedes: I | null;
    }
  | { ok: false; code: 'library_item_unknown' | 'library_item_withdrawn' | 'replaces_unknown' }
  | { ok: false; code: 'parameters_invalid'; faults: ParameterFault[] }
  | { ok: false; code: 'entitlement_missing'; entitlements: string[] }
  | { ok: false; code: 'different_version_installed' | 'installation_superseded'; existing: I };

/**
 * Decides an installation. The same version with the same parameters is installed once: a repetition finds the existing
 * installation. A live installation of another version or with other parameters must be named in `replaces`.
 */
export function decideInstallation<I extends KnownInstallation>(
  { items, live, replaced, successor, missingEntitlements }: InstallationFacts<I>,
  { key, version, parameters: given, replaces }: InstallationRequest,
): InstallationVerdict<I> {
  const item = chosenItem(items, version);
  if (!item) return { ok: false, code: 'library_item_unknown' };
  const checked = given === undefined ? undefined : checkParameters(item.definition, given);
  if (checked && !checked.ok) return { ok: false, code: 'parameters_invalid', faults: checked.faults };
  const parameters = (given ?? {}) as ParameterValues;
  const parametersHash = canonicalHash(parameters);
  const isSame = (each: I | null): each is I =>
    each !== null && isLive(each) && each.version === item.version && each.parametersHash === parametersHash;
  if (isSame(live) && (replaces === undefined || replaces === live.uid)) return { ok: true, existing: live };
  if (replaces !== undefined) {
    if (replaced?.key !== key) return { ok: false, code: 'replaces_unknown' };
    if (isSame(successor)) return { ok: true, existing: successor };
    if (!isLive(replaced)) {
      return { ok: false, code: 'installation_superseded', existing: live ?? successor ?? replaced };
    }
  } else if (live) return { ok: false, code: 'different_version_installed', existing: live };
  if (item.state === 'withdrawn') return { ok: false, code: 'library_item_withdrawn' };
  const entitlements = missingEntitlements(item);
  if (entitlements.length > 0) return { ok: false, code: 'entitlement_missing', entitlements };
  return { ok: true, existing: null, item, parameters, parametersHash, supersedes: replaced };
}

/**
 * Returns the item of the version; without a version, the newest published item, or else the newest deprecated item, or
 * else the newest item.
 */
function chosenItem(items: readonly LibraryItem[], version: number | undefined): LibraryItem | undefined {
  if (version !== undefined) return items.find((item) => item.version === version);
  const offered = (state: LibraryItem['state']) => items.find((item) => item.state === state);
  return offered('published') ?? offered('deprecated') ?? items[0];
}
