import type { Bench } from './bench.ts';
import { cellRows } from './platform/cells.ts';
import { decisionRows } from './platform/decisions.ts';
import { lineageRows } from './platform/lineage.ts';
import { runPageRows } from './platform/run-pages.ts';
import { startBackend } from '../support/backends.ts';

const BENCH = 'platform';

/** Measures lists of workflow runs, lineage, benchmark cells and decisions about data. */
export const bench: Bench = {
  summary: 'pages of workflow runs, lineage of 1,000 nodes, benchmark cells, decisions about uses of data',
  targets:
    'a page of workflow runs among 1,000,000 <= 1.5 x a page among 10,000: the list is read by an index; the lineage of ' +
    '1,000 nodes <= 20 x the read of one run; 200 benchmark cells <= 1,000 ms, because one job publishes them all; a ' +
    'decision about a use of data <= 0.02 x the read of a page that it guards',
  async run(context) {
    const variables = { VALIDATE_RESPONSES: 'false', RATE_LIMIT_FACTOR: '1000' };
    context.notify('starting Assay');
    const backend = await startBackend('postgres', `assay_bench_${BENCH}`, variables, context.cluster);
    try {
      return [
        ...cellRows(BENCH, context),
        ...(await decisionRows(BENCH, context, backend)),
        ...(await lineageRows(BENCH, context, backend)),
        ...(await runPageRows(BENCH, context, backend)),
      ];
    } finally {
      await backend.stop();
    }
  },
};
