import { expect } from 'chai';
import { ATTEMPTS_MAX, decideBuild } from '#lib/infrastructure/lineage/build-export.command.ts';
import { decideExport } from '#lib/infrastructure/lineage/export-lineage.command.ts';
import type { Graph } from '#lib/infrastructure/lineage/graph.ts';
import {
  requestHashOf,
  storedStates,
  type ExportRequest,
} from '#lib/infrastructure/lineage/lineage-export.ts';

const graph: Graph = { nodes: [], edges: [], gaps: [], truncated: false };

describe('the decision about a request for a lineage export', () => {
  it('builds the graph, queues a late graph, and refuses an unknown subject and an equal open request', () => {
    expect(decideExport({ graph })).to.deep.equal({ ok: true, graph });
    expect(decideExport('late')).to.deep.equal({ ok: true, graph: null });
    expect(decideExport(undefined)).to.include({ ok: false, code: 'subject_unknown' });
    expect(decideExport({ open: 'lex_1' })).to.deep.equal({
      ok: false,
      code: 'export_in_progress',
      open: 'lex_1',
    });
  });

  it('treats requests as equal only if every member and all scopes are equal', () => {
    const request: ExportRequest = {
      subject: { type: 'run', uid: 'tfr_1' },
      direction: 'both',
      depth: 5,
      granularity: 'dataset',
      format: 'prov-json',
      pinVersions: false,
    };
    const scopes = ['infrastructure:lineage', 'qlm:read'];
    const hash = (change: Partial<ExportRequest>, held = scopes) =>
      requestHashOf({ ...request, ...change }, new Set(held));
    expect(hash({}, scopes.toReversed())).to.equal(hash({}));
    const others = [
      hash({ subject: { type: 'run', uid: 'tfr_2' } }),
      hash({ direction: 'upstream' }),
      hash({ depth: 4 }),
      hash({ granularity: 'column' }),
      hash({ format: 'openlineage-2-0-2' }),
      hash({ pinVersions: true }),
      hash({}, scopes.slice(0, 1)),
    ];
    expect(new Set([...others, hash({})]).size).to.equal(others.length + 1);
  });
});

describe('the decision about a queued lineage export', () => {
  it('ends an open export once, and no other export', () => {
    const outcomes = storedStates.map((state) => {
      const verdict = decideBuild({ state, attempts: 1, graph });
      return verdict.ok ? 'built' : verdict.code;
    });
    expect(outcomes).to.deep.equal(['built', 'built', 'export_ended', 'export_ended']);
  });

  it('fails an export without a subject, and an export after its last attempt', () => {
    const decide = (attempts: number, found: Graph | undefined) =>
      decideBuild({ state: 'running', attempts, graph: found });
    expect(decide(ATTEMPTS_MAX, graph)).to.deep.equal({ ok: true, graph });
    expect(decide(ATTEMPTS_MAX, undefined)).to.deep.equal({ ok: true, problem: 'subject_unknown' });
    expect(decide(ATTEMPTS_MAX + 1, graph)).to.deep.equal({ ok: true, problem: 'not_built' });
  });
});
