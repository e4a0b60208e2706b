import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Bench } from './bench.ts';
import { accuracyRows, groupsOf } from './forecast/accuracy-rows.ts';
import { runPeer } from './forecast/peer.ts';
import { runSeries } from './forecast/run-series.ts';
import { publicSeries, readSeriesFile, sampleOf } from './forecast/series-file.ts';
import { peerRows, timeRows } from './forecast/speed-rows.ts';

/**
 * Series of the M3 and M4 competitions. They are stored in a folder next to the project and not in the
 * project itself.
 */
const COMPETITION = fileURLToPath(
  new URL('../../../shared/data/forecasting/m4_dev.jsonl.gz', import.meta.url),
);
const HOW = "R's package forecast is not there; on Debian: apt-get install -y r-cran-forecast";
const WARM_UP = 5;
/** The number of series of each frequency that R forecasts. R needs seconds for a monthly series. */
const PEER_SERIES = { full: 10, tiny: 1 };
const TINY_SERIES = 3;
const NOTIFY_EVERY = 100;

/**
 * Measures the accuracy and the duration of forecasts on series of competitions, against R's package forecast.
 */
export const bench: Bench = {
  summary: 'accuracy of forecasts, their intervals and their time; --data says on which series',
  targets:
    'OWA (1 is Naive2) of the combination on all series <= 0.790, of each method <= 1.01 x its counterpart in R; ' +
    'MSIS <= 0.75 x that of the best of ets, auto.arima and thetaf; 93 to 97 % of the observed values within the 95 % interval; ' +
    'a monthly forecast <= 60 ms, quarterly <= 35, yearly <= 8, and a twentieth of the time of R for those three on all series. ' +
    'On other series than its own, R is compared on a sample alone.',
  run({ size, data, notify }) {
    const isOwn = data === undefined && existsSync(COMPETITION);
    const all = data === undefined && !isOwn ? publicSeries() : readSeriesFile(data ?? COMPETITION);
    if (data === undefined && !isOwn) notify(`${COMPETITION} is not there: six public series instead`);
    const series = size === 'full' ? all : sampleOf(all, TINY_SERIES);
    for (const each of sampleOf(series, WARM_UP)) runSeries(each);
    notify(`${series.length} series`);
    const runs = series.map((each, at) => {
      if (at > 0 && at % NOTIFY_EVERY === 0) notify(`${at} of them`);
      return runSeries(each);
    });
    const groups = groupsOf(runs);
    notify('the same in R, for some of them');
    const peer = runPeer(sampleOf(series, PEER_SERIES[size]));
    if (!peer) notify(HOW);
    return Promise.resolve([
      ...accuracyRows(groups, isOwn && size === 'full'),
      ...timeRows(groups),
      ...(peer ? peerRows(groups, peer) : []),
    ]);
  },
};
