import type { Bench } from './bench.ts';
import { mcpRows } from './trust/mcp.ts';
import { packRows } from './trust/packs.ts';
import { summaryRows } from './trust/summary.ts';
import { webhookRows } from './trust/webhooks.ts';

/** The measurements of this bench, one per module. */
const parts = [packRows, mcpRows, summaryRows, webhookRows];

export const bench: Bench = {
  summary:
    'evidence packs: to make one over a log, and to check it; calls of tools by agents; the summary of a workspace; ' +
    'deliveries of webhooks',
  targets:
    'pack: <= 10 x the hashing of the same entries and of the tree over them: in addition, each entry is read, put in its ' +
    'form again and compared, and so is each node that is stored. verify: only shown, against the one signature in it. ' +
    'mcp: >= 0.5 x the operation over plain HTTP: the protocol, and the record of each call. ' +
    'webhook deliveries: only shown, against bare posts; each is claimed, signed, sent, and settled durably.',
  async run(context) {
    const rows = [];
    for (const part of parts) rows.push(...(await part(context)));
    return rows;
  },
};
