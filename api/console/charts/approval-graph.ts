import { label, px, svg } from './scale.ts';

/** A node of an approval graph: its name, the votes that it has and needs, and the persons who voted. */
export type GraphNode = { name: string; met: number; quorum: number; voters: readonly string[] };

/** An approval graph, with the position of the open node; null if no node waits for votes. */
export type ApprovalGraph = { nodes: readonly GraphNode[]; open: number | null; end: string };

const [WIDTH, GAP, HEIGHT, LINE, SMALL] = [148, 34, 62, 15, 84];

/** Draws the nodes of an approval graph in their order, from the draft to the end state. */
export function approvalGraph({ nodes, open, end }: ApprovalGraph, name: string): string {
  const most = Math.max(1, ...nodes.map(({ voters }) => voters.length));
  const boxHeight = HEIGHT + Math.max(0, most - 1) * LINE;
  const middle = boxHeight / 2 + 2;
  const total = SMALL * 2 + nodes.length * (WIDTH + GAP) + GAP;
  const parts: string[] = [stop(1, middle, 'draft', nodes.length > 0)];
  let x = 1 + SMALL;
  for (const [index, node] of nodes.entries()) {
    const state = node.met >= node.quorum ? 'met' : open === index + 1 ? 'open' : 'later';
    parts.push(edge(x, x + GAP, middle), box(x + GAP, boxHeight, node, state));
    x += GAP + WIDTH;
  }
  const isDone = nodes.every(({ met, quorum }) => met >= quorum);
  parts.push(edge(x, x + GAP, middle), stop(x + GAP, middle, end, isDone));
  return svg({ width: total + 2, height: boxHeight + 4 }, parts, name);
}

function stop(x: number, middle: number, text: string, isMet: boolean): string {
  return `<rect class="node-box ${isMet ? 'met' : 'later'}" x="${px(x)}" y="${px(middle - 14)}" width="${SMALL}" height="28" rx="14"/><text class="node-name" text-anchor="middle" x="${px(x + SMALL / 2)}" y="${px(middle + 4)}">${label(text)}</text>`;
}

function edge(from: number, to: number, middle: number): string {
  return `<path class="node-edge" d="M${px(from)} ${px(middle)}H${px(to - 1)}M${px(to - 6)} ${px(middle - 4)}L${px(to - 1)} ${px(middle)}L${px(to - 6)} ${px(middle + 4)}"/>`;
}

function box(x: number, height: number, { name, met, quorum, voters }: GraphNode, state: string): string {
  const lines = voters.length > 0 ? voters.map((voter) => `✓ ${shorten(voter)}`) : ['no vote yet'];
  return [
    `<rect class="node-box ${state}" x="${px(x)}" y="2" width="${WIDTH}" height="${px(height)}" rx="7"/>`,
    `<text class="node-name" x="${px(x + 10)}" y="21">${label(shorten(name))}</text>`,
    `<text class="node-count" text-anchor="end" x="${px(x + WIDTH - 10)}" y="21">${met} of ${quorum}</text>`,
    ...lines.map(
      (line, index) =>
        `<text class="node-line" x="${px(x + 10)}" y="${px(43 + index * LINE)}">${label(line)}</text>`,
    ),
  ].join('');
}

function shorten(text: string): string {
  return text.length > 17 ? `${text.slice(0, 16)}…` : text;
}
