import { Problem } from '#lib/core/problem.ts';
import { isUid } from '#lib/core/id.ts';
import {
  directions,
  isActivity,
  type Direction,
  type LineageNode,
} from '#lib/infrastructure/lineage/graph.ts';
import { readGraph, type FoundGraph } from '#lib/infrastructure/lineage/read-graph.query.ts';
import { runs } from '#lib/runs.ts';
import { entitlementMissing } from '../../http/access.ts';
import { lineageGraph, placeLineage, type LineageModel } from '../charts/lineage-graph.ts';
import { pill, words } from '../format.ts';
import { html, raw, type Html } from '../html.ts';
import { definePage } from '../page.ts';
import { placeOfUid } from '../records/places.ts';
import { card, fact } from '../shell.ts';
import { table } from '../table.ts';

const SCOPE = 'infrastructure:lineage';
/** The most nodes that are drawn. A larger graph is shown only as a table. */
const DRAWN_MAX = 60;
const DEPTHS = [1, 2, 3, 4, 5] as const;
const DEPTH = 3;

/** The records from which a record was made, and those that were made of it: as a graph, and as a table. */
export const tracePage = definePage({
  path: '/console/trace/:uid',
  area: 'Lineage',
  async render({ params, query, ask, session }) {
    const uid = params['uid']!;
    if (!session.workspace.entitlements.includes(SCOPE)) throw entitlementMissing(SCOPE);
    const direction = directions.find((each) => each === query['direction']) ?? 'both';
    const depth = DEPTHS.find((each) => String(each) === query['depth']) ?? DEPTH;
    const reader = {
      scopes: new Set(session.workspace.entitlements),
      scopeOfRun: Object.fromEntries(Object.values(runs).map((each) => [each.key, each.scope])),
    };
    const found = isUid(uid) ? await ask(readGraph, { uid, direction, depth, reader }) : undefined;
    if (!found) throw new Problem('not_found', 'There is no such record, or it has no lineage.');
    const { graph } = found;
    const model = modelOf(found);
    const crumbs = [['Lineage', '/console/lineage'], [uid]] as const;
    const body = html`<header class="head">
        <div>
          <h1>Lineage</h1>
          <p class="meta"><span class="mono">${linkTo(uid)}</span></p>
        </div>
        <div class="acts"><button type="button" data-copy="${uid}">Copy uid</button></div>
      </header>
      ${filters(uid, direction, depth)}
      <dl class="facts">
        ${fact('Records and work', String(graph.nodes.length), graph.truncated ? 'the graph has more' : 'in the graph')}
        ${fact('Connections', String(graph.edges.length))}
        ${fact('Gaps', String(graph.gaps.length), 'where the graph ends')}
      </dl>
      <div class="stack">
        ${card({ title: 'Graph', note: 'from the origins to the results' }, drawing(model))}
        ${card({ title: 'Records and work' }, nodesTable(graph.nodes, model))}
        ${
          graph.gaps.length > 0 &&
          card(
            { title: 'Gaps' },
            table(
              'Gaps',
              [
                { heading: 'At', cell: ({ node }) => html`<span class="mono">${node}</span>` },
                { heading: 'Reason', cell: ({ reason }) => words(reason) },
              ],
              graph.gaps,
              'tight',
            ),
          )
        }
      </div>`;
    return { title: 'Lineage', crumbs, body };
  },
});

function filters(uid: string, direction: Direction, depth: number): Html {
  return html`<form class="filters" action="/console/trace/${uid}">
    <label
      >Direction
      <select name="direction">
        ${directions.map((each) => html`<option value="${each}" ${each === direction && 'selected'}>${each}</option>`)}
      </select></label
    >
    <label
      >Steps
      <select name="depth">
        ${DEPTHS.map((each) => html`<option value="${each}" ${each === depth && 'selected'}>${each}</option>`)}
      </select></label
    >
    <button type="submit">Show</button>
  </form>`;
}

/** Returns the graph as boxes and arrows. Work is between the records that it read and those that it made. */
function modelOf({ graph, subject }: FoundGraph): LineageModel {
  return {
    boxes: graph.nodes.map((node) => ({
      id: node.id,
      name: kindOf(node),
      note: `${words(node.type)} ${stateOf(node)}`,
      tone: node.id === subject ? 'subject' : isActivity(node) ? 'work' : 'record',
    })),
    arrows: graph.edges.map(({ activity, relation, other }) =>
      relation === 'used' ? [other, activity] : [activity, other],
    ),
  };
}

/** Returns the kind of a node in words, without the product of a run. */
function kindOf({ kind }: LineageNode): string {
  return words(kind.split('.').at(-1)!);
}

function stateOf(node: LineageNode): string {
  if (isActivity(node)) return node.state;
  return node.type === 'dataset' ? `revision ${node.version}` : node.version.slice(0, 8);
}

function drawing(model: LineageModel): Html {
  if (model.boxes.length > DRAWN_MAX)
    return html`<p class="pad dim">
      The graph has ${model.boxes.length} records and is too large to draw. At most ${DRAWN_MAX} are drawn.
      Choose fewer steps, or read the table.
    </p>`;
  const name = `Lineage graph of ${model.boxes.length} records. The table lists the same records with their origins.`;
  return html`<section class="scroll graph" tabindex="0" aria-label="Lineage graph">
    ${raw(lineageGraph(model, name))}
  </section>`;
}

/** Returns the same graph as a table: each node with its layer and the nodes that it comes from. */
function nodesTable(nodes: readonly LineageNode[], model: LineageModel): Html {
  const layerOf = new Map(placeLineage(model).map(({ id, layer }) => [id, layer]));
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const origins = (id: string) =>
    model.arrows.flatMap(([from, to]) => (to === id && byId.has(from) ? [kindOf(byId.get(from)!)] : []));
  const rows = nodes.toSorted(
    (one, other) => layerOf.get(one.id)! - layerOf.get(other.id)! || (one.id < other.id ? -1 : 1),
  );
  return table(
    'Records and work, from the origins to the results',
    [
      { heading: 'Kind', cell: kindOf },
      { heading: 'Step', isNumber: true, cell: ({ id }) => layerOf.get(id)! + 1 },
      { heading: 'Type', cell: ({ type }) => words(type) },
      {
        heading: 'Uid',
        cell: (node) => html`<span class="mono">${linkTo(isActivity(node) ? node.id : node.uid)}</span>`,
      },
      {
        heading: 'State or version',
        cell: (node) =>
          isActivity(node) ? pill(node.state) : html`<span class="mono">${stateOf(node)}</span>`,
      },
      { heading: 'Comes from', cell: ({ id }) => [...new Set(origins(id))].join(', ') || '–' },
    ],
    rows,
    'tight',
  );
}

function linkTo(uid: string): Html | string {
  const place = placeOfUid(uid);
  return place === undefined ? uid : html`<a href="${place}">${uid}</a>`;
}
