import { expect } from 'chai';
import { checkDocument } from '#lib/research/sealed-document.ts';
import { entryOf } from '#lib/audit/entry.ts';
import { endOf, exportLines, lineOf, verifyExport } from '#lib/audit/export.ts';
import { LogBroken, LogCheck } from '#lib/audit/log-check.ts';
import { Frontier, leafHash } from '#lib/audit/merkle.ts';
import { canonicalHash, canonicalJson, seal } from '#lib/core/seal.ts';
import { researchSnapshot } from '#lib/research/research-snapshot.ts';
import { columnProof, leavesOf } from '#lib/research/snapshot-tree.ts';
import { verifyPack } from '#lib/trust/verify-pack.mjs';
import { event } from '../../support/audit.ts';
import { entryText, logOf, signedPack } from '../../support/signed-pack.ts';
import {
  exchangedValues,
  rewrittenTexts,
  tamperedTexts,
  type Tampered,
} from '../../support/tampered-documents.ts';
import { verifierOfPage } from '../../support/verify-page.ts';

type Holds = (text: string) => Promise<boolean>;

const byCommand: Holds = async (text) => {
  try {
    return checkDocument(text).intact;
  } catch {
    return false;
  }
};
const byVerifier: Holds = async (text) => verifyPack(text).ok;
const pageVerifier = verifierOfPage();
const byPage: Holds = async (text) => (await pageVerifier(text)).ok;
const byExport: Holds = async (text) => {
  try {
    await verifyExport(exportLines(bytesOf(text)));
    return true;
  } catch (error) {
    if (error instanceof LogBroken) return false;
    throw error;
  }
};

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += 1_000) yield bytes.subarray(at, at + 1_000);
}

const sealed = sealedText();
const column = columnText();
const pack = JSON.stringify(signedPack());
const proof = JSON.stringify({
  schema: 'svc.inclusion-proof/1',
  inclusion: { entry: entryText(4), index: 4, path: logOf(7).proof(4).path },
  pack: signedPack(),
});
const log = logTexts();

/** The kinds of documents, each with its verifier and the members whose values the tests exchange. */
const documents: { of: string; text: string; holds: Holds; members: string[] }[] = [
  { of: 'a sealed result', text: sealed, holds: byCommand, members: ['input', 'kind', 'model', 'result'] },
  {
    of: 'a column with its hash path',
    text: column,
    holds: byCommand,
    members: ['root', 'tree_size', 'entities', 'entities_proof', 'column', 'leaf', 'column_proof'],
  },
  ...[
    { by: 'the verifier', holds: byVerifier },
    { by: 'the page', holds: byPage },
  ].flatMap(({ by, holds }) => [
    {
      of: `an evidence pack, for ${by},`,
      text: pack,
      holds,
      members: Object.keys(JSON.parse(pack) as object),
    },
    {
      of: `the proof of an entry, for ${by},`,
      text: proof,
      holds,
      members: ['schema', 'inclusion', 'pack'],
    },
  ]),
];

describe('the verifiers of sealed documents', () => {
  for (const { of, text, holds, members } of documents) {
    it(`accept ${of}, even with other white space`, async () => {
      expect(await holds(text)).to.equal(true);
      for (const each of rewrittenTexts(text)) expect(await holds(each.text), each.mutation).to.equal(true);
    });

    it(`reject ${of} after each of at least 200 mutations`, async () => {
      const all = [...tamperedTexts(text), ...exchangedValues(text, members)];
      expect(all).to.have.length.of.at.least(200);
      expect(await accepted(all, holds, text)).to.deep.equal([]);
    });
  }

  it('accept a sealed result with its members in another order, even with integer member names', async () => {
    const turned = Object.fromEntries(Object.entries(JSON.parse(sealed) as object).toReversed());
    expect(await byCommand(JSON.stringify(turned))).to.equal(true);
    expect(await byCommand(sealed.replace('{"9":1,"10":2}', '{"10":2,"9":1}'))).to.equal(true);
  });

  it('reject a sealed result if its seal, a hash or an attachment was changed', async () => {
    const changes: [string, (document: any) => void][] = [
      ['an additional member in the seal', (document) => (document.seal.approved_by = 'nobody')],
      ['a result hash that is not a text', (document) => (document.result_hash = 7)],
      ['an input hash that is null', (document) => (document.input_hash = null)],
      ['another attachment', (document) => (document.values = [1, 2, 4])],
      ['another algorithm', (document) => (document.seal.algorithm = 'md5')],
      [
        'a seal that lists its covered members twice',
        (document) => document.seal.covers.push(...document.seal.covers),
      ],
      ['no seal', (document) => delete document.seal],
      ['two seals', (document) => (document.seal = [document.seal, document.seal])],
    ];
    const all = changes.map(([mutation, change]) => {
      const document: unknown = JSON.parse(sealed);
      change(document);
      return { mutation, text: JSON.stringify(document) };
    });
    expect(await accepted(all, byCommand, sealed)).to.deep.equal([]);
  });

  it('list the attachments that the seal does not cover', () => {
    const { attachment_hashes: hashes, values, ...rest } = JSON.parse(sealed);
    const members = { kind: 'a', result: rest.result };
    const bare = { ...members, seal: seal(members, new Date(0)) };
    const check = checkDocument(JSON.stringify({ ...bare, values, attachment_hashes: hashes }));
    expect(check).to.deep.include({ intact: true, not_covered: ['values', 'attachment_hashes'] });
  });

  it('accept an exported log with U+2028 in its texts, and with CR LF line ends', async () => {
    expect(await byExport(log.join('\n'))).to.equal(true);
    expect(await byExport(`${log.join('\r\n')}\r\n`)).to.equal(true);
  });

  for (const [what, at] of [
    ['an entry', 3],
    ['the checkpoint', 7],
  ] as const) {
    it(`reject an exported log after each mutation of ${what}`, async () => {
      const members = at === 7 ? ['checkpoint.tree_size'] : ['index', 'leaf_hash', 'entry'];
      const lines = [...tamperedTexts(log[at]!), ...(at === 7 ? [] : exchangedValues(log[at]!, members))];
      const more = { mutation: 'an additional member', text: log[at]!.replace('{', '{"approved":true,') };
      // A UTF-8 file cannot contain a lone surrogate, except as an escape. Such mutations are omitted.
      const all = [...lines, more]
        .filter(({ text }) => text.isWellFormed())
        .map(({ mutation, text }) => ({
          mutation,
          text: log.with(at, text).join('\n'),
        }));
      expect(await accepted(all, byExport, log.join('\n'))).to.deep.equal([]);
    });
  }

  it('reject a log entry after each mutation of its canonical text', () => {
    const body = bodyOf(3);
    const all = [...tamperedTexts(body), ...rewrittenTexts(body)];
    // Each text gets its own correct hash here, so only the form of the text is tested. A text with another
    // value would have a hash that is not in the tree.
    const sameValue = all.filter(({ text }) => [undefined, body].includes(canonicalOf(text)));
    const taken = sameValue.filter(({ text }) => {
      try {
        new LogCheck().add({ index: 0, body: text, leafHash: leafHash(text) });
        return true;
      } catch (error) {
        return !(error instanceof LogBroken);
      }
    });
    expect(taken.map(({ mutation }) => mutation)).to.deep.equal([]);
  });
});

/** Returns the canonical form of a JSON text, or undefined if the text has no canonical form. */
function canonicalOf(text: string): string | undefined {
  try {
    return canonicalJson(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Returns the mutations that a verifier accepted. */
async function accepted(all: readonly Tampered[], holds: Holds, genuine: string): Promise<string[]> {
  const taken: string[] = [];
  for (const { mutation, text } of all) {
    expect(text, mutation).to.not.equal(genuine);
    if (await holds(text)) taken.push(mutation);
  }
  return taken;
}

function sealedText(): string {
  const values = [0.1, 2, -3.5];
  const members = {
    kind: 'investment.theme-factors',
    model: { key: 'svc_theme_factor_ridge_v1', version: '1.0.0' },
    input: { as_of_date: '2020-09-30', ridge_lambda: 0.1, seed: 7, weights: { 9: 1, 10: 2 } },
    result: {
      themes: [
        { key: 'water', mean: 0.012345678901234567, t: -1.5, months: 12 },
        { key: 'énergie "x" \\ y', mean: 1e-7, t: 0, months: 1e21 },
      ],
      note: 'says "svc.theme/1"',
      complete: true,
      gap: null,
    },
    attachment_hashes: { values: canonicalHash(values) },
  };
  return JSON.stringify({
    uid: 'tfr_01K8XQ5W3ZJ6T9R2M4N7P0QABC',
    progress: null,
    ...members,
    input_hash: canonicalHash(members.input),
    result_hash: canonicalHash(members.result),
    values,
    seal: seal(members, new Date('2026-01-02T03:04:05.678Z')),
  });
}

function columnText(): string {
  const columns = ['momentum', 'value', 'size'].map((feature, place) => ({
    feature,
    version: 1,
    unit: 'ratio',
    values: [place + 0.5, null],
    event_times: ['2020-01-31T00:00:00Z', null],
    known_at: ['2020-01-31T00:00:00Z', null],
    age_days: [0, null],
    reasons: [null, 'never_observed' as const],
  }));
  const outcome = researchSnapshot('2020-01-31', {
    project: { id: 1, version: 1, definition_sha256: '0'.repeat(64) },
    definition: {
      universe: { kind: 'list', entities: ['E0', 'E1'] },
      features: columns.map(({ feature }) => ({ key: feature, version: 1 })),
      target: null,
      calendar: 'any_day',
    },
    entities: ['E0', 'E1'],
    columns,
    knownTargets: [],
  });
  if (!outcome.ok) throw new Error('it is a snapshot');
  const leaves = leavesOf(outcome.result);
  return JSON.stringify({
    root: outcome.result.root,
    tree_size: leaves.length,
    entities: outcome.matrix.entities,
    entities_proof: columnProof(leaves, 0),
    column: outcome.matrix.columns[1],
    leaf: 2,
    column_proof: columnProof(leaves, 2),
  });
}

function bodyOf(index: number): string {
  return canonicalJson(
    entryOf({ ...event(index), details: { note: 'é " \\ \u2028', share: 0.1, count: 3 } }),
  );
}

function logTexts(): string[] {
  const tree = new Frontier();
  const lines = Array.from({ length: 7 }, (_, index) => {
    const body = bodyOf(index);
    tree.append(leafHash(body));
    return lineOf({ index, body, leafHash: leafHash(body) }).trimEnd();
  });
  const place = { workspace: 'wsp_1', environment: 'sandbox' };
  return [...lines, endOf(place, { size: 7, root: tree.root(), at: new Date(0) }).trimEnd()];
}
