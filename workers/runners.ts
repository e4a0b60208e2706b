import type { Orm } from '#lib/database/orm.ts';
import type { PeriodicKey } from '#lib/pipeline/periodic.ts';
import { pruneIdempotencyKeys } from './maintenance/prune-idempotency-keys.ts';
import type { jobs } from '#lib/jobs.ts';
import { loadThemeFactors } from './investment/theme-factors.ts';
import type { Loader } from './runner.ts';

/** How each kind of work reads its data. A declared job without an entry does not compile. */
export const loaders = {
  'investment.theme-factors': loadThemeFactors,
} satisfies { [Key in keyof typeof jobs]: Loader<(typeof jobs)[Key], unknown> };

/** What the io worker does by the clock. */
export const housekeeping: Record<PeriodicKey, (orm: Orm) => Promise<void>> = {
  'maintenance.prune-idempotency-keys': pruneIdempotencyKeys,
};
