import { expect } from 'chai';
import { GraphBody, pinnedNodes } from '#lib/actions/authority/graph.ts';
import {
  eligibleAt,
  nodeDeadline,
  progressOf,
  reachability,
  rightAt,
} from '#lib/actions/delegations/quorum.ts';
import { createAjv } from '#lib/core/ajv.ts';
import { reachable } from '../../../support/delegation/properties-of-votes.ts';
import { rules } from '../../../support/delegation/rules.ts';
import { members, nodes } from '../../../support/delegation/world.ts';
import { repetitions } from '../../../support/repetitions.ts';

const graph = (...quorums: unknown[]) => ({
  applies_to: { actions: [], risk_tiers: [] },
  nodes: quorums.map((quorum, index) => ({
    key: `node-${index}`,
    quorum,
    roles: ['controller'],
    users: [],
    timeout_hours: null,
  })),
});

describe('an approval graph', () => {
  it('I-057 opens its nodes one after the other: the first node without enough votes is open', () => {
    const open = (...votes: number[]) =>
      progressOf(
        nodes,
        votes.map((node) => ({ node })),
      ).open?.position;
    expect([open(), open(1), open(2), open(1, 2), open(1, 1), open(1, 1, 2)]).to.deep.equal([
      1,
      1,
      1,
      1,
      2,
      undefined,
    ]);
    expect(open(3, 3, 3)).to.equal(1);
  });

  it('reports counted and pending votes per node, and counts at most the required number', () => {
    expect(
      progressOf(
        nodes,
        [1, 1, 1].map((node) => ({ node })),
      ).progress,
    ).to.deep.equal([
      { position: 1, quorum: 2, met: 2, pending: 0 },
      { position: 2, quorum: 1, met: 0, pending: 1 },
    ]);
  });

  it('counts votes only of persons whom the node names and of holders of its roles', () => {
    const node = { ...nodes[0]!, roles: ['controller', 'auditor'], users: ['zoe'] };
    expect(rightAt(node, 'zoe', [])).to.deep.equal({ role: null });
    expect(rightAt(node, 'zoe', ['auditor'])).to.deep.equal({ role: null });
    expect(rightAt(node, 'ann', ['auditor'])).to.deep.equal({ role: 'auditor' });
    expect(rightAt(node, 'ann', ['auditor', 'controller'])).to.deep.equal({ role: 'controller' });
    expect(rightAt(node, 'ann', ['treasurer'])).to.equal(undefined);
    expect(rightAt({ ...node, roles: [], users: [] }, 'ann', [''])).to.equal(undefined);
    expect(eligibleAt(node, new Map([['auditor', ['zoe', 'bob']]]))).to.deep.equal(['bob', 'zoe']);
  });

  it('has a deadline only at the open node, counted from the last vote of the previous node', () => {
    const [first, second] = [
      { ...nodes[0]!, timeout_hours: 2 },
      { ...nodes[1]!, timeout_hours: 5 },
    ];
    const at = (hours: number) => new Date(Date.UTC(2026, 10, 21, hours));
    const deadline = (graph: typeof nodes, ...votes: [number, number][]) =>
      nodeDeadline(
        graph,
        votes.map(([node, hours]) => ({ node, at: at(hours) })),
        at(0),
      )?.toISOString();
    const ends = (hours: number) => at(hours).toISOString();
    expect(deadline([first, second])).to.equal(ends(2));
    expect(deadline([first, second], [1, 1])).to.equal(ends(2));
    expect(deadline([first, second], [1, 1], [1, 9])).to.equal(ends(14));
    expect(deadline([first, second], [1, 1], [1, 9], [2, 10])).to.equal(undefined);
    expect(deadline([{ ...first, timeout_hours: null }, second])).to.equal(undefined);
    expect(deadline(nodes)).to.equal(undefined);
  });

  it('I-066 can be completed exactly when an exhaustive search finds a valid assignment of voters to nodes', () => {
    reachable(rules, { numRuns: repetitions.delegationRules });
  });

  it('I-066 cannot be completed by an excluded person or by counting a person twice', () => {
    const without = (...excluded: string[]) => reachability(nodes, members, new Set(excluded));
    expect(without()).to.deep.equal({ ok: true, max_flow: 3, required: 3 });
    expect(without('dora', 'kit', 'cyd')).to.deep.equal({ ok: true, max_flow: 3, required: 3 });
    expect(without('dora', 'cyd', 'ann', 'ben', 'gus')).to.deep.equal({
      ok: false,
      max_flow: 2,
      required: 3,
    });
    expect(without('dora', 'cyd', 'dee')).to.include({ ok: false, max_flow: 2 });
  });

  it('I-066 can be completed even if a voter who is eligible at several nodes must fill the one node that nobody else can', () => {
    const tight = [
      { position: 1, key: 'a', quorum: 1, roles: [], users: ['ann', 'ben'] },
      { position: 2, key: 'b', quorum: 1, roles: [], users: ['ann', 'cyd'] },
      { position: 3, key: 'c', quorum: 1, roles: [], users: ['ann'] },
    ];
    expect(reachability(tight, new Map(), new Set())).to.include({ ok: true, max_flow: 3 });
    expect(reachability(tight, new Map(), new Set(['ben']))).to.include({ ok: false, max_flow: 2 });
    expect(reachability(tight, new Map(), new Set(['ben', 'cyd']))).to.include({ ok: false, max_flow: 1 });
  });

  it('I-099 numbers the nodes from 1 without gaps, in the order in which they are sent', () => {
    expect(
      pinnedNodes(graph(1, 2, 1) as GraphBody).map(({ position, key }) => [position, key]),
    ).to.deep.equal([
      [1, 'node-0'],
      [2, 'node-1'],
      [3, 'node-2'],
    ]);
  });

  it('I-099 is valid only for 1 to 9 nodes with 1 to 9 votes each, and without positions sent by the caller', () => {
    const isValid = createAjv().compile(GraphBody);
    expect(isValid(graph(1, 9))).to.equal(true);
    for (const quorum of [0, -1, 1.5, 10, '1', null, Number.NaN])
      expect(isValid(graph(quorum))).to.equal(false);
    expect(isValid(graph())).to.equal(false);
    expect(isValid(graph(...Array.from({ length: 10 }, () => 1)))).to.equal(false);
    const positioned = graph(1);
    expect(isValid({ ...positioned, nodes: [{ ...positioned.nodes[0], position: 3 }] })).to.equal(false);
  });
});
