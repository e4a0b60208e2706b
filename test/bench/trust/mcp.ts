import { startBackend } from '../../support/backends.ts';
import { modernMessage } from '../../support/agent.ts';
import { buildTenancy } from '../../support/build.ts';
import type { BenchContext, Row } from '../bench.ts';
import { requestsPerSecond } from '../load.ts';
import { interleave, ratioRow } from '../rounds.ts';

const POOL = 10;
const CLIENTS = 16;
const ROUNDS = { full: 9, tiny: 1 };
const SLICE_MS = { full: 1_000, tiny: 50 };

/**
 * Measures tool calls per second over MCP. The peer is the same operation, called directly over HTTP. Every tool call
 * is recorded before it is answered.
 */
export async function mcpRows({ size, cluster, notify }: BenchContext): Promise<Row[]> {
  const variables = { VALIDATE_RESPONSES: 'false', DATABASE_POOL: String(POOL) };
  const backend = await startBackend('postgres', 'assay_bench_mcp', variables, cluster);
  try {
    const { key } = await buildTenancy(backend);
    const credential = { authorization: `Bearer ${key}` };
    const call = { name: 'workspace_get', arguments: {} };
    const eras = {
      '2026-07-28': modernMessage('tools/call', call),
      '2025-11-25': {
        message: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call },
        headers: { 'mcp-protocol-version': '2025-11-25' },
      },
    };
    const common = { status: 200, clients: CLIENTS, forMs: SLICE_MS[size] } as const;
    const rows: Row[] = [];
    for (const [era, { message, headers }] of Object.entries(eras)) {
      const sides = {
        subject: () =>
          requestsPerSecond({
            ...common,
            method: 'POST',
            url: `${backend.url}/api/mcp`,
            headers: { ...credential, ...headers, 'content-type': 'application/json' },
            body: JSON.stringify(message),
          }),
        peer: () =>
          requestsPerSecond({
            ...common,
            method: 'GET',
            url: `${backend.url}/api/v2/workspace`,
            headers: credential,
          }),
      };
      await interleave(ROUNDS[size] > 1 ? 2 : 0, sides);
      notify(`${ROUNDS[size]} rounds of ${SLICE_MS[size]} ms a side, ${CLIENTS} clients, ${era}`);
      const note = `${CLIENTS} clients, pool of ${POOL}; workspace_get, recorded; the peer is GET /workspace`;
      const about = { bench: 'trust', case: `calls of a tool by agents, ${era}`, unit: 'requests/s', note };
      rows.push(ratioRow(about, await interleave(ROUNDS[size], sides), { min: 0.5 }));
    }
    return rows;
  } finally {
    await backend.stop();
  }
}
