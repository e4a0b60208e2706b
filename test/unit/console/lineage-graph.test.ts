import { expect } from 'chai';
import fc from 'fast-check';
import { BOX, lineageGraph, placeLineage, type LineageModel } from '#api/console/charts/lineage-graph.ts';

const box = (id: string) => ({ id, name: id, note: '', tone: 'record' as const });

/** Graphs without cycles: an arrow leads from a smaller to a larger number. */
const graphs: fc.Arbitrary<LineageModel> = fc.integer({ min: 1, max: 25 }).chain((count) =>
  fc.array(fc.tuple(fc.nat(count - 1), fc.nat(count - 1)), { maxLength: 60 }).map((pairs) => ({
    boxes: Array.from({ length: count }, (_, index) => box(`n${index}`)),
    arrows: pairs
      .filter(([one, other]) => one !== other)
      .map(([one, other]) => [`n${Math.min(one, other)}`, `n${Math.max(one, other)}`] as const),
  })),
);

describe('the lineage graph', () => {
  it('places every record to the right of its origins', () => {
    fc.assert(
      fc.property(graphs, (model) => {
        const placed = new Map(placeLineage(model).map((each) => [each.id, each]));
        expect(placed.size).to.equal(model.boxes.length);
        for (const [from, to] of model.arrows)
          expect(placed.get(to)!.x - placed.get(from)!.x).to.be.at.least(BOX.width);
      }),
    );
  });

  it('lets no box cover another, and keeps every box in the picture', () => {
    fc.assert(
      fc.property(graphs, (model) => {
        const placed = placeLineage(model);
        const [, width = 0, height = 0] =
          /width="([\d.]+)" height="([\d.]+)"/.exec(lineageGraph(model, 'graph')) ?? [];
        for (const [index, one] of placed.entries()) {
          expect(one.x).to.be.within(0, Number(width) - BOX.width);
          expect(one.y).to.be.within(0, Number(height) - BOX.height);
          for (const other of placed.slice(index + 1))
            expect(
              Math.abs(one.x - other.x) >= BOX.width || Math.abs(one.y - other.y) >= BOX.height,
            ).to.equal(true);
        }
      }),
    );
  });

  it('does not depend on the order of its records and arrows', () => {
    fc.assert(
      fc.property(graphs, (model) => {
        const turned = { boxes: model.boxes.toReversed(), arrows: model.arrows.toReversed() };
        expect(placeLineage(turned)).to.deep.equal(placeLineage(model));
      }),
    );
  });

  it('places the records of a cycle, and leaves out arrows to records that it does not know', () => {
    const model: LineageModel = {
      boxes: ['a', 'b', 'c'].map(box),
      arrows: [
        ['a', 'b'],
        ['b', 'c'],
        ['c', 'b'],
        ['c', 'x'],
        ['a', 'a'],
      ],
    };
    expect(placeLineage(model).map(({ layer }) => layer)).to.deep.equal([0, 1, 1]);
    expect(lineageGraph(model, 'graph').match(/node-edge/g)).to.have.length(3);
    expect(lineageGraph({ boxes: [{ ...box('a'), name: '<b>' }], arrows: [] }, 'graph')).to.not.include(
      '<b>',
    );
  });
});
