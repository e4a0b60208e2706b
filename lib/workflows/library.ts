import feedToThemes from './library/feed-to-themes.json' with { type: 'json' };
import forecastRefresh from './library/forecast-refresh.json' with { type: 'json' };
import monthEndThemes from './library/month-end-themes.json' with { type: 'json' };
import weeklyEvidencePack from './library/weekly-evidence-pack.json' with { type: 'json' };
import weeklyLedgerClose from './library/weekly-ledger-close.json' with { type: 'json' };

/**
 * The workflows that come with Assay, by key. A workspace can run such a workflow after one of its persons has proposed
 * the workflow and another person has published it.
 */
export const library: Readonly<Record<string, unknown>> = {
  'month-end-themes': monthEndThemes,
  'forecast-refresh': forecastRefresh,
  'feed-to-themes': feedToThemes,
  'weekly-evidence-pack': weeklyEvidencePack,
  'weekly-ledger-close': weeklyLedgerClose,
};
