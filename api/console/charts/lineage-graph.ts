import { label, px, svg } from './scale.ts';

/** A box of the graph: two lines of text, and whether it is the requested record, work, or a record. */
export type LineageBox = { id: string; name: string; note: string; tone: 'subject' | 'work' | 'record' };

/** A graph whose arrows lead from the origin of a record to what was made of it. */
export type LineageModel = {
  readonly boxes: readonly LineageBox[];
  readonly arrows: readonly (readonly [from: string, to: string])[];
};

/** The place of a box: its layer, counted from the origins, and the upper left corner. */
export type Placed = LineageBox & { layer: number; x: number; y: number };

export const BOX = { width: 176, height: 42 } as const;
const [GAP_X, GAP_Y, MARGIN] = [46, 12, 2];
/** How often the order of the boxes is improved, from left to right and back. */
const SWEEPS = 4;

/**
 * Places the boxes in layers from left to right: each box to the right of everything it comes from. In a layer, boxes
 * are near the boxes that they are connected to. Boxes of a cycle, which has no order, share the last layer. The result
 * does not depend on the order of the input.
 */
export function placeLineage({ boxes, arrows }: LineageModel): Placed[] {
  const sorted = boxes.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  const known = new Set(sorted.map(({ id }) => id));
  const used = arrows
    .filter(([from, to]) => known.has(from) && known.has(to) && from !== to)
    .toSorted((one, other) => (one.join(' ') < other.join(' ') ? -1 : 1));
  const layerOf = layersOf([...known], used);
  const layers: string[][] = [];
  for (const { id } of sorted) (layers[layerOf.get(id)!] ??= []).push(id);
  for (let sweep = 0; sweep < SWEEPS; sweep++) order(layers, used, sweep % 2 === 0);
  const most = Math.max(1, ...layers.map(({ length }) => length));
  const heightOf = (count: number) => count * BOX.height + (count - 1) * GAP_Y;
  return sorted.map((box) => {
    const layer = layerOf.get(box.id)!;
    const top = (heightOf(most) - heightOf(layers[layer]!.length)) / 2;
    const row = layers[layer]!.indexOf(box.id);
    return {
      ...box,
      layer,
      x: MARGIN + layer * (BOX.width + GAP_X),
      y: MARGIN + top + row * (BOX.height + GAP_Y),
    };
  });
}

/** Returns the layer of each box: the length of the longest path that leads to it. */
function layersOf(ids: readonly string[], arrows: LineageModel['arrows']): Map<string, number> {
  const left = new Map(ids.map((id) => [id, 0]));
  for (const [, to] of arrows) left.set(to, left.get(to)! + 1);
  const following = Map.groupBy(arrows, ([from]) => from);
  const layerOf = new Map<string, number>();
  const ready = ids.filter((id) => left.get(id) === 0);
  for (const id of ready) layerOf.set(id, 0);
  for (const id of ready)
    for (const [, to] of following.get(id) ?? []) {
      layerOf.set(to, Math.max(layerOf.get(to) ?? 0, layerOf.get(id)! + 1));
      left.set(to, left.get(to)! - 1);
      if (left.get(to) === 0) ready.push(to);
    }
  const isPlaced = new Set(ready);
  const last = Math.max(-1, ...ready.map((id) => layerOf.get(id)!)) + 1;
  for (const id of ids) if (!isPlaced.has(id)) layerOf.set(id, last);
  return layerOf;
}

/** Orders each layer by the mean place of the connected boxes in the other layers. */
function order(layers: string[][], arrows: LineageModel['arrows'], forwards: boolean): void {
  const share = new Map(
    layers.flatMap((layer) => layer.map((id, row): [string, number] => [id, (row + 0.5) / layer.length])),
  );
  const neighbours = Map.groupBy(
    arrows.map(([from, to]) => (forwards ? ([to, from] as const) : ([from, to] as const))),
    ([id]) => id,
  );
  for (const layer of layers) {
    const meanOf = (id: string): number => {
      const near = neighbours.get(id) ?? [];
      if (near.length === 0) return share.get(id)!;
      return near.reduce((sum, [, other]) => sum + share.get(other)!, 0) / near.length;
    };
    const means = new Map(layer.map((id) => [id, meanOf(id)]));
    layer.sort((one, other) => means.get(one)! - means.get(other)! || (one < other ? -1 : 1));
  }
}

/** Draws the boxes at their places, with an arrow for each connection. */
export function lineageGraph(model: LineageModel, name: string): string {
  const placed = new Map(placeLineage(model).map((box) => [box.id, box]));
  const all = [...placed.values()];
  const width = Math.max(0, ...all.map(({ x }) => x)) + BOX.width + MARGIN;
  const height = Math.max(0, ...all.map(({ y }) => y)) + BOX.height + MARGIN;
  const arrows = model.arrows.flatMap(([from, to]) => {
    const [one, other] = [placed.get(from), placed.get(to)];
    return one && other && one !== other ? [arrow(one, other)] : [];
  });
  return svg({ width, height }, [...arrows, ...all.map(drawBox)], name);
}

function arrow(from: Placed, to: Placed): string {
  const [x1, y1] = [from.x + BOX.width, from.y + BOX.height / 2];
  const [x2, y2] = [to.x, to.y + BOX.height / 2];
  const bend = GAP_X * 0.7;
  const curve = `M${px(x1)} ${px(y1)}C${px(x1 + bend)} ${px(y1)} ${px(x2 - bend)} ${px(y2)} ${px(x2 - 1)} ${px(y2)}`;
  return `<path class="node-edge" d="${curve}M${px(x2 - 6)} ${px(y2 - 4)}L${px(x2 - 1)} ${px(y2)}L${px(x2 - 6)} ${px(y2 + 4)}"/>`;
}

const tones = { subject: 'open', work: 'met', record: '' } as const;

function drawBox({ x, y, name, note, tone }: Placed): string {
  return [
    `<rect class="node-box ${tones[tone]}" x="${px(x)}" y="${px(y)}" width="${BOX.width}" height="${BOX.height}" rx="${tone === 'work' ? 20 : 6}"/>`,
    `<text class="node-name" x="${px(x + 12)}" y="${px(y + 18)}">${label(shorten(name))}</text>`,
    `<text class="node-line" x="${px(x + 12)}" y="${px(y + 33)}">${label(shorten(note))}</text>`,
  ].join('');
}

function shorten(text: string): string {
  return text.length > 22 ? `${text.slice(0, 21)}…` : text;
}
