import type { Config } from '#lib/core/config.ts';
import type { Log } from '#lib/core/log.ts';
import type { Orm } from '#lib/database/base.ts';
import type { PeriodicKey } from '#lib/pipeline/periodic.ts';
import { housekeeping } from './housekeeping.ts';
import { openSummaryWording } from './intelligence/summary-wording.ts';
import { openWebhookDelivery } from './periodic/deliver-webhooks.ts';
import { openProviderCalls } from './qlms/provider-calls.ts';

export type IoWork = {
  /** Does the periodic work of this key. */
  doPeriodic(key: PeriodicKey): Promise<unknown>;
  close(): Promise<void>;
};

/**
 * Opens what only the io worker does: periodic work, and calls of webhooks and AI providers. `url` contains the worker's
 * database role, `direct` is the same without a pooler, and `name` is the name of its connections.
 */
export async function openIoWork(
  { config, orm, log }: { config: Config; orm: Orm; log: Log },
  { url, direct, name }: { url: string; direct: string; name: string },
): Promise<IoWork> {
  const webhooks = openWebhookDelivery({ config, databaseUrl: url, orm, log });
  const wordings = openSummaryWording({ config, databaseUrl: url, orm, log });
  const calls = await openProviderCalls({ config, databaseUrl: direct, orm, log, name });
  const periodic = {
    ...housekeeping,
    'maintenance.deliver-webhooks': webhooks.deliver,
    'intelligence.summary-wording': wordings.write,
  };
  return {
    doPeriodic: (key) => periodic[key](orm),
    async close() {
      await webhooks.close();
      await wordings.close();
      await calls.close();
    },
  };
}
