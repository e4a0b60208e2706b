import { targetDays } from '#lib/research/leakage.ts';
import { findVersions, pinnedRevision } from '#lib/research/feature-version.query.ts';
import type { CrossSection } from '#lib/research/cross-section.ts';
import { researchRunsRun } from '#lib/research/research-runs.run.ts';
import { findSnapshots, snapshotValues, withNaN } from '#lib/research/sealed-snapshot.query.ts';
import { targetValues } from '#lib/research/target.query.ts';
import { runner } from '../process/runner.ts';

/** The data that the thread receives: the columns by name, and a cross-section for each snapshot. */
export type LoadedExperiment = { columns: { feature: string; version: number }[]; dates: CrossSection[] };

export default runner(researchRunsRun, {
  /** Reads the values that the snapshots sealed, and the target values after the dates of the snapshots. */
  load: async (em, run): Promise<LoadedExperiment> => {
    const { snapshots, target, known_by: knownBy } = run.input;
    const [first] = await findSnapshots(em, [snapshots[0]!.uid]);
    const [version] = await findVersions(em, [{ key: target.feature, version: target.version }]);
    if (!first || !version) throw new Error('the inputs of the experiment do not exist');
    const { id } = version;
    const revision = pinnedRevision(run.datasetRevisions, id);
    const dates: CrossSection[] = [];
    for (const { uid, as_of_date: asOf } of snapshots) {
      const { entities, columns: features } = await snapshotValues(em, uid);
      const targets: Float64Array[] = [];
      for (const horizon of target.horizons_months) {
        const days = targetDays(asOf, { horizonMonths: horizon, spanMonths: target.span_months });
        targets.push(withNaN(await targetValues(em, { id, revision, entities, days, knownBy })));
      }
      dates.push({ entities, features, targets });
    }
    return {
      columns: first.result.columns.map(({ feature, version: of }) => ({ feature, version: of })),
      dates,
    };
  },
  compute: new URL('./research-runs.compute.ts', import.meta.url),
});
