import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { scoreOf, type SeriesScore } from './scores.ts';
import type { TestSeries } from './series-file.ts';

export const peerMethods = ['ets', 'arima', 'theta'] as const;
export type PeerMethod = (typeof peerMethods)[number];
export type PeerRun = { series: TestSeries; ms: number; scores: Record<PeerMethod, SeriesScore> };

const OUTPUT_BYTES_MAX = 256 * 1024 * 1024;

/**
 * Runs R's ets, auto.arima and thetaf on the same series; undefined if R or its package `forecast` is not
 * installed.
 */
export function runPeer(series: readonly TestSeries[]): PeerRun[] | undefined {
  const input = series.map(({ period, horizon, train }) => [period, horizon, ...train].join(',')).join('\n');
  const env = { ...process.env, OPENBLAS_NUM_THREADS: '1', OMP_NUM_THREADS: '1' };
  const script = fileURLToPath(new URL('peer.R', import.meta.url));
  const found = spawnSync('Rscript', ['-e', 'library(forecast)'], { stdio: 'ignore' });
  if (found.status !== 0) return undefined;
  const { stdout, status, stderr } = spawnSync('Rscript', ['--vanilla', script], {
    input: `${input}\n`,
    env,
    encoding: 'utf8',
    maxBuffer: OUTPUT_BYTES_MAX,
  });
  if (status !== 0) throw new Error(`R has failed: ${stderr}`);
  const lines = stdout.trim().split('\n');
  return series.map((each, at) => readRun(each, lines.slice(at * peerMethods.length)));
}

function readRun(series: TestSeries, lines: readonly string[]): PeerRun {
  let ms = 0;
  const scores = peerMethods.map((method, at) => {
    const [name, time, ...columns] = lines[at]!.split(',');
    if (name !== method) throw new Error(`R answered for ${name}, not for ${method}`);
    ms += Number(time);
    const [points, lower, upper] = columns.map((column) => column.split(';').map(Number));
    return [method, scoreOf(series, points!, { lower: lower!, upper: upper! })] as const;
  });
  return { series, ms, scores: Object.fromEntries(scores) as Record<PeerMethod, SeriesScore> };
}
