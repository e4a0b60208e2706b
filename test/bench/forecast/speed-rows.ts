import { mean } from 'simple-statistics';
import type { Row } from '../bench.ts';
import { rowAbout } from './row-about.ts';
import type { Group } from './accuracy-rows.ts';
import { peerMethods, type PeerRun } from './peer.ts';
import { groupScore } from './scores.ts';

const MS_MAX: Readonly<Record<string, number>> = { monthly: 60, quarterly: 35, yearly: 8 };
const PEER_SHARE_MAX = 0.05;

/** Returns rows with the mean processor time of a whole forecast, one for each group of series. */
export function timeRows(groups: readonly Group[]): Row[] {
  return groups.map(({ name, runs }) => {
    const figure = mean(runs.map(({ ms }) => ms));
    const max = MS_MAX[name];
    return {
      ...rowAbout(`time of a forecast, ${name}`, 'ms'),
      figure,
      target: max === undefined ? null : `<= ${max} ms`,
      met: max === undefined ? null : figure <= max,
      note: `${runs.length} series; all methods, all origins, intervals; processor time`,
    };
  });
}

/**
 * Returns rows that compare our time with the time of R on the same series. The time of R is the total of ets,
 * auto.arima and thetaf. The notes also state the MSIS and the coverage of the intervals of R.
 */
export function peerRows(groups: readonly Group[], peer: readonly PeerRun[]): Row[] {
  return groups.flatMap(({ name, runs }) => {
    const both = peer.flatMap((theirs) => {
      const ours = runs.find(({ series }) => series.id === theirs.series.id);
      return ours ? [{ ours, theirs }] : [];
    });
    if (both.length === 0) return [];
    const figure = mean(both.map(({ ours }) => ours.ms));
    const time = mean(both.map(({ theirs }) => theirs.ms));
    const msis = peerMethods.map((method) => {
      const score = groupScore(both.map(({ theirs }) => theirs.scores[method]));
      return `${method} ${score.msis!.toFixed(2)} (${score.coverage!.toFixed(1)} %)`;
    });
    return [
      {
        ...rowAbout(`time beside R, ${name}`, 'ms'),
        figure,
        peer: time,
        ratio: figure / time,
        target: name === 'all' ? `<= ${PEER_SHARE_MAX} x` : null,
        met: name === 'all' ? figure / time <= PEER_SHARE_MAX : null,
        note: `${both.length} series; peer: ets + auto.arima + thetaf of R's forecast, processor time. Their MSIS and coverage at 95 %: ${msis.join(', ')}`,
      },
    ];
  });
}
