import { expect } from 'chai';
import { entryOf } from '#lib/audit/entry.ts';
import { endOf, lineOf, verifyExport } from '#lib/audit/export.ts';
import { LogBroken } from '#lib/audit/log-check.ts';
import { EMPTY_ROOT, Frontier, leafHash } from '#lib/audit/merkle.ts';
import { canonicalJson } from '#lib/core/seal.ts';
import { event } from '../../support/audit.ts';

const place = { workspace: 'wsp_1', environment: 'sandbox' };
const at = new Date(1_800_000_000_000);
const tree = new Frontier();
const lines = Array.from({ length: 7 }, (_, index) => {
  const body = canonicalJson(entryOf({ ...event(index), details: { note: 'é " \\ \u2028', share: 0.1 } }));
  tree.append(leafHash(body));
  return lineOf({ index, body, leafHash: leafHash(body) }).trimEnd();
});
const end = endOf(place, { size: 7, root: tree.root(), at }).trimEnd();
const whole = [...lines, end];

async function* read(texts: readonly string[]): AsyncGenerator<string> {
  yield* texts;
}

describe('an exported audit log', () => {
  it('can be verified from its own lines without other data', async () => {
    expect(await verifyExport(read(whole))).to.deep.equal({
      ...place,
      checkpoint: { tree_size: 7, root_hash: tree.root(), at: at.toISOString() },
    });
  });

  it('is valid without entries', async () => {
    const { checkpoint } = await verifyExport(read([endOf(place, undefined)]));
    expect(checkpoint).to.deep.equal({ tree_size: 0, root_hash: EMPTY_ROOT, at: null });
  });

  it('stays valid with other white space and another order of members', async () => {
    const turned = lines.map((line) => {
      const { index, leaf_hash, entry } = JSON.parse(line);
      return JSON.stringify(
        { entry: Object.fromEntries(Object.entries(entry).reverse()), leaf_hash, index },
        null,
        1,
      );
    });
    expect((await verifyExport(read([...turned, end]))).checkpoint.tree_size).to.equal(7);
  });

  const forged = (line: string) => {
    const { index, entry } = JSON.parse(line);
    const changed = { ...entry, request_id: 'req_forged' };
    return JSON.stringify({ index, leaf_hash: leafHash(canonicalJson(changed)), entry: changed });
  };
  const moved = (line: string, index: number) => JSON.stringify({ ...JSON.parse(line), index });
  const changes: [string, readonly string[], string][] = [
    [
      'an entry that was changed',
      whole.with(3, lines[3]!.replace('"done"', '"refused"')),
      'entry 3 does not match its stored leaf hash',
    ],
    ['an entry that was taken out', whole.toSpliced(3, 1), 'entry 3 is missing; the next one is 4'],
    [
      'an entry that was taken out and the later entries renumbered',
      [...lines.toSpliced(3, 1).map(moved), end],
      'the log has 6 entries, but a checkpoint states 7',
    ],
    [
      'an entry that was added at the end',
      [...lines, moved(lines[0]!, 7), end],
      'the log has 8 entries, but a checkpoint states 7',
    ],
    [
      'two entries in another order',
      whole.with(3, lines[4]!).with(4, lines[3]!),
      'entry 3 is missing; the next one is 4',
    ],
    [
      'two entries in another order, renumbered',
      whole.with(3, moved(lines[4]!, 3)).with(4, moved(lines[3]!, 4)),
      'the checkpoint at 7 entries has a different root',
    ],
    [
      'an entry with changed content and the hash of the changed content',
      whole.with(0, forged(lines[0]!)),
      'the checkpoint at 7 entries has a different root',
    ],
    ['its end missing', lines.slice(0, 5), 'the file ends after 5 entries, without its checkpoint'],
    ['content after its end', [...whole, lines[0]!], 'the file continues after the checkpoint'],
    ['a line that is not JSON', whole.with(2, lines[2]!.slice(1)), 'line 3 cannot be read: it is not JSON'],
    ['a line of another kind', whole.with(2, '{"index":2}'), 'line 3 is neither an entry nor a checkpoint'],
    ['a line that is not an object', whole.with(2, '2'), 'line 3 is neither an entry nor a checkpoint'],
    [
      'an entry that is null',
      whole.with(2, JSON.stringify({ ...JSON.parse(lines[2]!), entry: null })),
      'entry 2 does not match its stored leaf hash',
    ],
  ];
  for (const [what, texts, difference] of changes) {
    it(`with ${what} is rejected`, async () => {
      const error = await verifyExport(read(texts)).catch((caught: unknown) => caught);
      expect(error).to.be.instanceOf(LogBroken);
      expect((error as LogBroken).message).to.equal(difference);
    });
  }
});
