import backtestNightly from './library/backtest-nightly.json' with { type: 'json' };
import benchmarkReport from './library/benchmark-report.json' with { type: 'json' };
import dailyDataQuality from './library/daily-data-quality.json' with { type: 'json' };
import exceptionAgeingDigest from './library/exception-ageing-digest.json' with { type: 'json' };
import portfolioBenchmark from './library/portfolio-benchmark.json' with { type: 'json' };
import rebalancingProposal from './library/rebalancing-proposal.json' with { type: 'json' };
import taxLossReview from './library/tax-loss-review.json' with { type: 'json' };
import tournamentRefresh from './library/tournament-refresh.json' with { type: 'json' };
import feedToThemes from './library/feed-to-themes.json' with { type: 'json' };
import forecastRefresh from './library/forecast-refresh.json' with { type: 'json' };
import monthEndThemes from './library/month-end-themes.json' with { type: 'json' };
import weeklyEvidencePack from './library/weekly-evidence-pack.json' with { type: 'json' };
import weeklyLedgerClose from './library/weekly-ledger-close.json' with { type: 'json' };

export const categories = ['data', 'controls', 'forecasting', 'investment', 'ledger', 'quant'] as const;
export type Category = (typeof categories)[number];

/** A workflow that comes with Assay. A changed definition gets the next version number. */
export type ShippedItem = { key: string; version: number; category: Category; definition: unknown };

/** The workflows that come with Assay, by key. */
export const shipped: readonly ShippedItem[] = [
  { key: 'backtest-nightly', version: 1, category: 'quant', definition: backtestNightly },
  { key: 'benchmark-report', version: 2, category: 'controls', definition: benchmarkReport },
  { key: 'daily-data-quality', version: 1, category: 'data', definition: dailyDataQuality },
  { key: 'exception-ageing-digest', version: 1, category: 'controls', definition: exceptionAgeingDigest },
  { key: 'portfolio-benchmark', version: 1, category: 'investment', definition: portfolioBenchmark },
  { key: 'rebalancing-proposal', version: 1, category: 'investment', definition: rebalancingProposal },
  { key: 'tax-loss-review', version: 2, category: 'investment', definition: taxLossReview },
  { key: 'tournament-refresh', version: 1, category: 'quant', definition: tournamentRefresh },
  { key: 'feed-to-themes', version: 1, category: 'data', definition: feedToThemes },
  { key: 'forecast-refresh', version: 1, category: 'forecasting', definition: forecastRefresh },
  { key: 'month-end-themes', version: 1, category: 'investment', definition: monthEndThemes },
  { key: 'weekly-evidence-pack', version: 1, category: 'controls', definition: weeklyEvidencePack },
  { key: 'weekly-ledger-close', version: 1, category: 'ledger', definition: weeklyLedgerClose },
];

/**
 * The definitions of the shipped workflows, by key. A workspace can run such a workflow after one of its persons has
 * proposed the workflow and another person has published it.
 */
export const library: Readonly<Record<string, unknown>> = Object.fromEntries(
  shipped.map(({ key, definition }) => [key, definition]),
);
