import { expect } from 'chai';
import fc from 'fast-check';
import { newUid } from '#lib/core/id.ts';
import { canonicalHash, canonicalJson } from '#lib/core/seal.ts';
import {
  isActivity,
  ordered,
  stateHash,
  type Activity,
  type Edge,
  type Graph,
  type LineageNode,
} from '#lib/infrastructure/lineage/graph.ts';
import { openLineageOf } from '#lib/infrastructure/lineage/openlineage.ts';
import { provOf } from '#lib/infrastructure/lineage/prov.ts';
import { lineageTree } from '#lib/infrastructure/lineage/tree.ts';
import { uuidOf } from '#lib/infrastructure/lineage/uuid.ts';
import { isRunEvent } from '../../support/openlineage.ts';

const options = { workspace: newUid('wsp'), environment: 'sandbox', pinVersions: false, withColumns: true };
const [dataset, imported, application] = [newUid('dst'), newUid('imp'), newUid('app')];
const runs = Array.from({ length: 6 }, () => newUid('tfr'));
const [flow, model] = [newUid('wfr'), newUid('lqv')];

const activity = (id: string, more: Partial<Activity> = {}): Activity => ({
  id,
  type: 'run',
  kind: 'investment.theme-factors',
  state: 'succeeded',
  startedAt: '2026-01-02T00:00:00.000Z',
  endedAt: '2026-01-02T00:00:05.000Z',
  problem: null,
  parent: null,
  application,
  ...more,
});
const source = { id: `${dataset}@3`, type: 'dataset' as const, uid: dataset, kind: 'prices', version: '3' };
const result = (run: string) => ({
  id: `result/${run}`,
  type: 'result' as const,
  uid: run,
  kind: 'x',
  version: 'ab'.repeat(32),
});

const graphs: fc.Arbitrary<Graph> = fc
  .array(
    fc.record({
      state: fc.constantFrom('open', 'succeeded', 'failed', 'cancelled'),
      seconds: fc.nat(100),
      inStep: fc.boolean(),
    }),
    { minLength: 1, maxLength: 6 },
  )
  .map((drawn) => {
    const nodes: LineageNode[] = [
      source,
      activity(imported, { type: 'import', kind: 'prices', application: null }),
      activity(flow, { type: 'workflow_run', kind: 'nightly' }),
      {
        id: model,
        type: 'model',
        uid: model,
        kind: 'lqm',
        version: 'cd'.repeat(32),
        columns: { price: [{ node: source.id, field: 'price' }], other: [], 9: [], 10: [], Close: [] },
      },
    ];
    const edges: Edge[] = [{ activity: imported, relation: 'generated', other: source.id }];
    for (const [at, { state, seconds, inStep }] of drawn.entries()) {
      const id = runs[at]!;
      const endedAt = state === 'open' ? null : new Date(Date.UTC(2026, 0, 3, 0, 0, seconds)).toISOString();
      const problem = state === 'failed' ? 'market_history_insufficient' : null;
      nodes.push(activity(id, { state, endedAt, problem, parent: inStep ? flow : null }));
      edges.push({ activity: id, relation: 'used', other: at === 0 ? source.id : `result/${runs[0]}` });
      if (inStep) edges.push({ activity: flow, relation: 'part', other: id });
      if (state !== 'succeeded' && at > 0) continue;
      nodes.push(result(id));
      edges.push({ activity: id, relation: 'generated', other: `result/${id}` });
      if (at === 1) edges.push({ activity: id, relation: 'generated', other: model });
    }
    return { nodes, edges, gaps: [], truncated: false };
  });

const eventsOf = (graph: Graph, more = {}) =>
  openLineageOf(graph, { ...options, ...more }).map((line) => JSON.parse(line));

describe('the lineage of a record', () => {
  it('is exported as events that the schema accepts, with one start and at most one end a run (I-200)', () => {
    fc.assert(
      fc.property(graphs, (graph) => {
        const events = eventsOf(graph);
        for (const event of events)
          expect(isRunEvent(event), JSON.stringify(isRunEvent.errors)).to.equal(true);
        for (const node of graph.nodes.filter(isActivity)) {
          const own = events.filter(({ run }) => run.runId === uuidOf(node.id));
          const ends =
            node.state === 'open'
              ? []
              : [{ succeeded: 'COMPLETE', failed: 'FAIL', cancelled: 'ABORT' }[node.state]];
          expect(own.map(({ eventType }) => eventType)).to.deep.equal(['START', ...ends]);
          expect(own[0].outputs).to.deep.equal([]);
        }
        expect(events.map(({ eventTime }) => eventTime)).to.deep.equal(
          events.map(({ eventTime }) => eventTime).toSorted(),
        );
      }),
      { numRuns: 25 },
    );
  });

  it('is written in RFC 8785 form, as is the text behind its hash', () => {
    fc.assert(
      fc.property(graphs, fc.boolean(), (graph, withColumns) => {
        for (const line of openLineageOf(graph, { ...options, withColumns }))
          expect(line).to.equal(canonicalJson(JSON.parse(line)));
        expect(stateHash(graph)).to.equal(canonicalHash(ordered(graph)));
      }),
      { numRuns: 50 },
    );
  });

  it('has the same bytes for every order of the records (I-201)', () => {
    fc.assert(
      fc.property(graphs, (graph) => {
        const turned = { ...graph, nodes: [...graph.nodes].reverse(), edges: [...graph.edges].reverse() };
        expect(openLineageOf(turned, options)).to.deep.equal(openLineageOf(graph, options));
        expect(provOf(turned)).to.equal(provOf(graph));
        expect(stateHash(turned)).to.equal(stateHash(graph));
      }),
      { numRuns: 25 },
    );
  });

  it('has the same nodes and edges in OpenLineage as in PROV (I-202)', () => {
    fc.assert(
      fc.property(graphs, (graph) => {
        const prov = JSON.parse(provOf(graph));
        const ids = (type: 'entity' | 'activity') =>
          Object.keys(prov[type] ?? {}).map((id) => id.slice('assay:'.length));
        expect([...ids('entity'), ...ids('activity')].toSorted()).to.deep.equal(
          graph.nodes.map(({ id }) => id).toSorted(),
        );
        const pairs = (relation: string) => graph.edges.filter((edge) => edge.relation === relation).length;
        expect(Object.keys(prov.used)).to.have.length(pairs('used'));
        expect(Object.keys(prov.wasGeneratedBy)).to.have.length(pairs('generated'));
        const ends = eventsOf(graph).filter(({ eventType }) => eventType !== 'START');
        const ended = new Set(
          graph.nodes
            .filter(isActivity)
            .filter(({ state }) => state !== 'open')
            .map(({ id }) => id),
        );
        const inputs = graph.edges.filter(
          ({ activity: id, relation }) => relation === 'used' && ended.has(id),
        );
        expect(ends.flatMap((event) => event.inputs)).to.have.length(inputs.length);
      }),
      { numRuns: 25 },
    );
  });

  it('converts an id to its UUID without loss, and rejects other texts (I-200)', () => {
    const uid = newUid('tfr');
    const uuid = uuidOf(uid);
    expect(uuid).to.match(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
    let bits = BigInt(`0x${uuid.replaceAll('-', '')}`);
    let body = '';
    for (let digit = 0; digit < 26; digit += 1, bits >>= 5n) body = alphabet[Number(bits & 31n)]! + body;
    expect(`tfr_${body}`).to.equal(uid);
    expect(() => uuidOf('tfr_8ZZZZZZZZZZZZZZZZZZZZZZZZZ')).to.throw(RangeError);
  });

  it('states versions in names only on request, and in facets always', () => {
    const graph: Graph = {
      nodes: [source, activity(runs[0]!)],
      edges: [{ activity: runs[0]!, relation: 'used', other: source.id }],
      gaps: [],
      truncated: false,
    };
    const input = (pinVersions: boolean) => eventsOf(graph, { pinVersions })[0].inputs[0];
    expect(input(false).name).to.equal(`dataset/${dataset}`);
    expect(input(true).name).to.equal(`dataset/${dataset}@r3`);
    expect(input(false).facets.version.datasetVersion).to.equal('3');
  });

  it('is drawn as a tree with its gaps', () => {
    const graph: Graph = {
      nodes: [
        source,
        activity(imported, { type: 'import', kind: 'prices' }),
        activity(runs[0]!),
        result(runs[0]!),
      ],
      edges: [
        { activity: imported, relation: 'generated', other: source.id },
        { activity: runs[0]!, relation: 'used', other: source.id },
        { activity: runs[0]!, relation: 'generated', other: `result/${runs[0]}` },
      ],
      gaps: [{ node: source.id, reason: 'not_entitled' }],
      truncated: false,
    };
    expect(lineageTree(graph, runs[0]!)).to.deep.equal([
      `run ${runs[0]} investment.theme-factors, succeeded`,
      'comes from:',
      `└─ dataset ${dataset} prices, revision 3`,
      `   └─ import ${imported} prices, succeeded`,
      'leads to:',
      `└─ result ${runs[0]} x, ${'ab'.repeat(6)}`,
      `gap at ${source.id}: not_entitled`,
    ]);
  });
});
