/**
 * Verifies a pack, or the proof of an entry, offline. This file needs only Node 18 or newer:
 *
 *     node verify-pack.mjs pack.json [--keys assay-keys.json] [--previous pack-before.json]
 *
 * Exit status: 0 valid; 2 wrong usage; 3 not a pack; 4 key or signature; 5 hash, or signed content differs; 6 log:
 * checkpoint, consistency or inclusion; 7 findings or counts do not add up; 8 does not follow the previous pack.
 * `--keys` names the published key set. Without it, the check only shows that one key signed the whole pack.
 */
import { createHash, createPublicKey, verify } from 'node:crypto';
import { readFileSync, realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const PAYLOAD_TYPE = 'application/vnd.in-toto+json';
const PROOF_SCHEMA = 'svc.inclusion-proof/1';
const HASH = /^[0-9a-f]{64}$/;
const CELL_LEAST = 3;

export const failureStatus = { not_a_pack: 3, signature: 4, seal: 5, log: 6, findings: 7, chain: 8 };

/** Verifies the text of a pack or proof. Returns a summary, or the first failed check and its kind. */
export function verifyPack(text, { keys, previous } = {}) {
  try {
    const { pack, inclusion } = opened(parse(text));
    checkSignature(pack, keys === undefined ? undefined : parse(keys));
    checkSeal(pack);
    checkLog(pack);
    checkFindings(pack);
    if (previous !== undefined) checkChain(pack, previous, keys);
    const entry = inclusion && checkEntry(inclusion, pack.log);
    return { ok: true, ...summary(pack), ...entry, keys_checked: keys !== undefined };
  } catch (error) {
    if (error.kind) return { ok: false, kind: error.kind, message: error.message };
    return { ok: false, kind: 'not_a_pack', message: 'it does not have the form of a pack' };
  }
}

/** Parses JSON. Duplicate members and unusual notations of values are rejected; white space is allowed. */
function parse(text) {
  const value = JSON.parse(text);
  const dense = text.replace(/("[^"\\]*(?:\\.[^"\\]*)*")|[ \t\r\n]+/g, '$1');
  need(value !== null && typeof value === 'object', 'not_a_pack', 'it is not a JSON object');
  need(dense === JSON.stringify(value), 'not_a_pack', 'a member is duplicated, or not canonical');
  return value;
}

/** Returns a pack, whether it is alone or inside the proof of an entry. */
function opened(given) {
  if (given.schema !== PROOF_SCHEMA) return { pack: given };
  const names = [given, given.inclusion].map(membersOf).join(' ');
  const isProof = names === 'inclusion,pack,schema entry,index,path';
  need(isProof, 'not_a_pack', 'it does not have the members of a proof');
  return given;
}

/** Verifies the DSSE 1.0.2 signature with the key in the signed pack. */
function checkSignature({ envelope, keys }, published) {
  need(membersOf(envelope) === 'payload,payloadType,signatures', 'not_a_pack', 'it has no envelope');
  need(envelope.payloadType === PAYLOAD_TYPE, 'signature', 'the envelope has a different payload type');
  const isSingle = envelope.signatures.length === 1 && keys.length === 1;
  need(isSingle, 'signature', 'it does not have exactly one signature and one key');
  const [{ keyid, sig, ...more }] = envelope.signatures;
  const [{ keyid: named, public_jwk: jwk }] = keys;
  need(Object.keys(more).length === 0, 'signature', 'the signature has unknown members');
  need(keyid === named, 'signature', 'the key id of the signature differs from the one in the pack');
  need(keyid === thumbprint(jwk), 'signature', 'the key id is not the thumbprint of the key');
  const payload = bytesOf(envelope.payload);
  const head = Buffer.from(`DSSEv1 ${PAYLOAD_TYPE.length} ${PAYLOAD_TYPE} ${payload.length} `);
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: jwk.x }, format: 'jwk' });
  const holds = verify(null, Buffer.concat([head, payload]), key, bytesOf(sig));
  need(holds, 'signature', 'the signature is not valid');
  if (published) checkPublished(JSON.parse(payload.toString()).predicate, published);
}

/** Checks that the key is in the published set, for all workspaces or for this one, and was active when it signed. */
function checkPublished({ keys, created_at: at, workspace_uid: of }, { keys: own, imported_keys: imported }) {
  const [{ keyid, public_jwk: jwk }] = keys;
  const known = [own ?? [], imported ?? []].flat().find(({ kid }) => kid === keyid);
  const isKnown = known && known.x === jwk.x && thumbprint(known) === keyid;
  need(isKnown, 'signature', 'the key is not in the published key set');
  const isFor = own?.includes(known) || known.workspace_hashes?.includes(sha256(of));
  need(isFor, 'signature', 'the key is published for other workspaces only');
  need(at >= known.valid_from, 'signature', 'the pack is older than its key');
  need(!known.retired_at || at <= known.retired_at, 'signature', 'the key was already retired');
}

/** Checks that the pack equals the signed content and has the hash that it states. */
function checkSeal({ envelope, ...pack }) {
  const payload = bytesOf(envelope.payload);
  const statement = JSON.parse(payload.toString());
  const isCanonical = payload.equals(Buffer.from(canonical(statement)));
  need(isCanonical, 'seal', 'the signed statement is not in RFC 8785 form');
  const { _type: type, subject, predicate } = statement;
  need(type === 'https://in-toto.io/Statement/v1', 'seal', 'the signed content is not an in-toto statement');
  need(canonical(predicate) === canonical(pack), 'seal', 'the pack differs from the signed content');
  const { pack_hash: stated, ...seal } = pack.seal;
  need(stated === sha256(canonical({ ...pack, seal })), 'seal', 'the pack does not match its hash');
  const isAbout = subject.length === 1 && subject[0].digest.sha256 === stated;
  need(isAbout, 'seal', 'the statement describes another pack');
}

/** Checks that the checkpoint agrees with the log, the log only grew, and every shown entry is in it. */
function checkLog({ log, controls, workspace_uid: workspace, environment }) {
  const { tree_size: size, root_hash: root, previous_tree_size: first, previous_root_hash: firstRoot } = log;
  need(log.origin === `assay/${workspace}/${environment}`, 'log', 'the log belongs to another workspace');
  const root64 = Buffer.from(root, 'hex').toString('base64');
  need(log.checkpoint === `${log.origin}\n${size}\n${root64}\n`, 'log', 'the checkpoint does not match');
  const hasGrown = isConsistent({ first, firstRoot, size, root, proof: log.consistency_proof });
  need(hasGrown, 'log', 'the log does not extend the log of the previous pack');
  for (const { key, observation_refs: refs, inclusion_proofs: proofs } of controls) {
    const indices = proofs.map(({ index }) => index);
    need(refs.join() === indices.join(), 'log', `${key} does not have one proof for each entry`);
    need(
      proofs.every((each) => isIncluded(each, { size, root })),
      'log',
      `${key} shows an entry that is not in the log`,
    );
  }
}

/** Checks that the shown entry, byte by byte, is the leaf at its index. */
function checkEntry({ entry, index, path }, { tree_size: size, root_hash: root }) {
  const holds = isIncluded({ index, leaf_hash: sha256(`\0${entry}`), path }, { size, root });
  need(holds && Buffer.from(entry).toString() === entry, 'log', 'the entry is not in the log');
  return { index, entry: JSON.parse(entry) };
}

/** Whether an inclusion proof is valid (RFC 9162, 2.1.3.2). */
function isIncluded({ index, leaf_hash: leaf, path }, { size, root }) {
  if (!isCount(index) || index >= size || ![leaf, root, ...path].every(isHash)) return false;
  let [node, last, hash] = [index, size - 1, leaf];
  for (const beside of path) {
    if (last === 0) return false;
    if (node % 2 === 1 || node === last) {
      hash = join(beside, hash);
      while (node % 2 === 0 && node !== 0) [node, last] = [half(node), half(last)];
    } else hash = join(hash, beside);
    [node, last] = [half(node), half(last)];
  }
  return last === 0 && hash === root;
}

/** Whether a consistency proof is valid (RFC 9162, 2.1.4.2). */
function isConsistent({ first, firstRoot, size, root, proof }) {
  if (!isCount(first) || !isCount(size) || first > size) return false;
  if (![firstRoot, root, ...proof].every(isHash)) return false;
  if (first === size) return proof.length === 0 && firstRoot === root && (size > 0 || root === sha256(''));
  if (first === 0) return proof.length === 0 && firstRoot === sha256('');
  let [node, last] = [first - 1, size - 1];
  while (node % 2 === 1) [node, last] = [half(node), half(last)];
  const [seed, ...rest] = node === 0 ? [firstRoot, ...proof] : proof;
  if (seed === undefined) return false;
  let [before, after] = [seed, seed];
  for (const beside of rest) {
    if (last === 0) return false;
    if (node % 2 === 1 || node === last) {
      [before, after] = [join(beside, before), join(beside, after)];
      while (node % 2 === 0 && node !== 0) [node, last] = [half(node), half(last)];
    } else after = join(after, beside);
    [node, last] = [half(node), half(last)];
  }
  return last === 0 && before === firstRoot && after === root;
}

/** Checks that results follow from their counts, and that counts add up to the entries of the period. */
function checkFindings({ controls, aggregates, log }) {
  for (const { key, population, tested, passed, failed, not_evaluated: open, result } of controls) {
    const isWhole = [population, tested, passed, failed, open].every(isCount);
    const adds = isWhole && tested === passed + failed && population === tested + open;
    need(adds, 'findings', `the counts of ${key} do not add up`);
    const follows = failed > 0 ? 'not_satisfied' : tested === 0 || open > 0 ? 'not_evaluated' : 'satisfied';
    need(result === follows, 'findings', `the result of ${key} does not follow from its counts`);
  }
  const { entries, refused, by_operation: operations, refusals_by_code: codes } = aggregates;
  need(entries === log.tree_size - log.previous_tree_size, 'findings', 'entries of the period are missing');
  need(sum(operations) === entries && sum(codes) === refused, 'findings', 'the aggregates do not add up');
  const cells = [...operations, ...codes].filter(({ key }) => key !== 'other');
  const wide = cells.every(({ entries: count }) => count >= CELL_LEAST);
  need(wide, 'findings', 'a count below three is not merged');
}

/** Checks that the pack starts where the previous pack ended, in time and in the log. */
function checkChain(pack, text, keys) {
  const checked = verifyPack(text, { keys });
  need(checked.ok, 'chain', `the previous pack is not valid: ${checked.message}`);
  const before = JSON.parse(text);
  const same = ['workspace_uid', 'environment'].every((name) => before[name] === pack[name]);
  need(same && before.sequence === pack.sequence - 1, 'chain', 'the other pack is not the previous one');
  need(pack.seal.previous_pack_hash === before.seal.pack_hash, 'chain', 'it names another previous pack');
  need(pack.period.from === before.period.to, 'chain', 'the periods are not consecutive');
  const { previous_tree_size: size, previous_root_hash: root } = pack.log;
  need(size === before.log.tree_size && root === before.log.root_hash, 'chain', 'the logs do not connect');
}

function summary({ uid, sequence, period, seal, controls, log, keys }) {
  const results = Object.fromEntries(controls.map(({ key, result }) => [key, result]));
  const { pack_hash: hash } = seal;
  return { uid, sequence, period, pack_hash: hash, tree_size: log.tree_size, keyid: keys[0].keyid, results };
}

function need(condition, kind, message) {
  if (!condition) throw Object.assign(new Error(message), { kind });
}

/** Returns the RFC 8785 form. All numbers of a pack are integers. */
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (value === null || typeof value !== 'object') {
    need(typeof value !== 'number' || Number.isSafeInteger(value), 'seal', 'a number is not an integer');
    need(!/\p{Surrogate}/u.test(value), 'seal', 'a string contains a lone surrogate');
    return JSON.stringify(value);
  }
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${canonical(name)}:${canonical(value[name])}`).join()}}`;
}

/** Decodes base64. Throws unless the text is in canonical form. */
function bytesOf(text) {
  const bytes = Buffer.from(text, 'base64');
  need(bytes.toString('base64') === text, 'signature', 'base64 is not in canonical form');
  return bytes;
}

const sha256 = (content) => createHash('sha256').update(content).digest('hex');
const thumbprint = ({ x }) => sha256(canonical({ crv: 'Ed25519', kty: 'OKP', x }));
const join = (left, right) => sha256(Buffer.from(`01${left}${right}`, 'hex'));
const membersOf = (value) =>
  Object.keys(value ?? {})
    .sort()
    .join();
/** Decodes UTF-8. Returns an empty string for other bytes. */
const textOf = (bytes) => (Buffer.from(bytes.toString()).equals(bytes) ? bytes.toString() : '');
const isHash = (text) => typeof text === 'string' && HASH.test(text);
const isCount = (number) => Number.isSafeInteger(number) && number >= 0;
const half = (number) => Math.floor(number / 2);
const sum = (cells) => cells.reduce((total, { entries }) => total + entries, 0);

function main(words) {
  const optionOf = (name) => (words.includes(name) ? words[words.indexOf(name) + 1] : undefined);
  const [file] = words;
  if (!file || file.startsWith('-')) {
    process.stderr.write('usage: node verify-pack.mjs <pack.json> [--keys <file>] [--previous <file>]\n');
    return 2;
  }
  const read = (path) => (path === undefined ? undefined : textOf(readFileSync(path)));
  const [keys, previous] = [read(optionOf('--keys')), read(optionOf('--previous'))];
  const outcome = verifyPack(read(file), { keys, previous });
  process.stdout.write(`${JSON.stringify(outcome, null, 2)}\n`);
  return outcome.ok ? 0 : failureStatus[outcome.kind];
}

const isMain = process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url);
if (isMain) process.exitCode = main(process.argv.slice(2));
