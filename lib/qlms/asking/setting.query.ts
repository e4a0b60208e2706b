import { windowsAt } from '#lib/actions/delegations/windows.ts';
import { answerUse, hideDenied } from '#lib/data/rights/ask-rights.query.ts';
import type { Em } from '#lib/database/base.ts';
import type { Setting } from '../answer.ts';
import { boundState, type BoundState } from '../readers/bound-model.query.ts';
import { databaseReaders } from '../readers/database-readers.query.ts';
import { readDirectoryAndZone } from '../readers/directory.query.ts';
import { lexiconOf, visibleMeasures } from '../readers/names.ts';
import type { ReadingState } from '../readers/reading.ts';
import { featureScope, openDomains } from '../readers/scopes.ts';
import type { QlmProfile } from '../registry/profile.schema.ts';

export type Asking = {
  profile: QlmProfile;
  /** SHA-256 of the profile. */
  profileHash: string;
  scopes: ReadonlySet<string>;
  /** The as-of day: only data known by its end is used; undefined: all known data. */
  asOf: string | undefined;
  now: Date;
  /** The revisions of the datasets to read. Default: the current revisions. */
  revisions?: Readonly<Record<string, number>> | undefined;
};

/**
 * The setting of a question: the catalogue of the caller, readers, the clock, and a record of the data that was read.
 */
export type AskingSetting = Setting & {
  state: ReadingState;
  bound: BoundState | undefined;
  profile: QlmProfile;
};

/**
 * Returns the setting in which the questions of one caller are answered, in the transaction of `em`. For a new
 * question, datasets whose entitlements do not permit reading are hidden from the rest of the transaction.
 */
export async function settingFor(em: Em, asking: Asking): Promise<AskingSetting> {
  const { profile, profileHash, scopes, asOf, now } = asking;
  if (asking.revisions === undefined) {
    const use = { action: 'read', rows: 0, now } as const;
    await hideDenied(em, (await answerUse(em, use)).denied, use);
  }
  const bound = profile.bound_lqm ? await boundState(em, profile.bound_lqm) : undefined;
  const { directory, timeZone } = await readDirectoryAndZone(em, asOf);
  const today = windowsAt(now, timeZone).day;
  const open = openDomains(profile.domains, scopes);
  const state: ReadingState = {
    em,
    directory,
    revisions:
      asking.revisions ??
      Object.fromEntries(directory.datasets.map(({ id, revision }) => [String(id), revision])),
    asOf,
    today,
    sources: new Map(),
    records: new Map(),
  };
  const hasFeatures = scopes.has(featureScope);
  const names = { profile, open, bound: bound?.factors ?? [], hasFeatures };
  const lexicon = lexiconOf(directory, profileHash, names);
  return {
    catalogue: { measures: visibleMeasures(directory, open, hasFeatures), lexicon, open },
    readers: databaseReaders(state, { open, profile, bound }),
    clock: { today, staleAfterDays: profile.stale_after_days },
    state,
    bound,
    profile,
  };
}
