import { createHash } from 'node:crypto';
import { fillChiSquares } from '#lib/numerics/chi-square.ts';
import { exp } from '#lib/numerics/exponential.ts';
import { ln } from '#lib/numerics/natural-log.ts';
import { normalQuantile } from '#lib/numerics/normal-quantile.ts';
import { fillNormals } from '#lib/numerics/normal-stream.ts';
import { PHILOX_DOMAINS, PHILOX_ROUNDS, philox4x32, philoxCounter, philoxKey } from '#lib/numerics/philox.ts';
import { uniform52 } from '#lib/numerics/uniform.ts';
import { type Members, asList, asMembers, asNumber, asText, parseGoldenFile } from './golden-file.ts';
import { GoldenFileError, type Report, Tally, doubleOfHex } from './report.ts';

const sections: Record<string, (tally: Tally, vector: Members, name: string) => void> = {
  kat: checkKnownAnswer,
  streams: checkStream,
  bulk: checkBulk,
  chi2_even_nu: checkChiSquare,
  inverse_normal: checkInverseNormal,
  ln: (tally, vector, name) =>
    checkFunction(tally, vector, { name, argument: 'x', value: 'ln', compute: ln }),
  exp: (tally, vector, name) =>
    checkFunction(tally, vector, { name, argument: 'x', value: 'exp', compute: exp }),
};

const prose = new Set(['what', 'note', 'spec', 'source_kat', 'convention']);

/** The tolerance between scipy's `ndtri` and AS 241, which are two approximations of the same function. */
const SCIPY_TOLERANCE = 1e-14;
const CHUNK_SAMPLES = 4096;

/**
 * Compares the recipe `rng-philox4x32-10/1` with a file of vectors. Every section and every result within a
 * vector may be absent. Present values are compared to the bit (`scipy_ppf` to 1e-14, and only if there is no
 * better value). Throws a `GoldenFileError` on an unreadable file.
 */
export function check(contents: string, _path: string): Report {
  const file = parseGoldenFile(contents);
  const tally = new Tally();
  for (const [section, vectors] of Object.entries(file)) {
    const checkVector = Object.hasOwn(sections, section) ? sections[section] : undefined;
    if (checkVector === undefined) {
      if (!prose.has(section)) tally.note(`section ${section} is not known`);
      continue;
    }
    for (const [index, vector] of asList(vectors, section).entries()) {
      const name = `${section}[${index}]`;
      const before = tally.report.comparisons;
      const refused = attempt(() => checkVector(tally, asMembers(vector, name), name));
      if (refused !== undefined) tally.fail(name, 'a result', refused);
      if (refused !== undefined || tally.report.comparisons > before) tally.case();
      else tally.note(`${name} holds no result that is known`);
    }
  }
  return tally.report;
}

function checkKnownAnswer(tally: Tally, vector: Members, name: string): void {
  const out = new Uint32Array(4);
  const rounds =
    vector['rounds'] === undefined ? PHILOX_ROUNDS : asNumber(vector['rounds'], `${name}.rounds`);
  philox4x32(words(vector['ctr'], `${name}.ctr`, 4), words(vector['key'], `${name}.key`, 2), rounds, out);
  checkWords(tally, vector['out'], `${name}.out`, out);
}

function checkStream(tally: Tally, vector: Members, name: string): void {
  const out = new Uint32Array(4);
  const counter = philoxCounter({
    domain: numberOr(vector, 'domain', PHILOX_DOMAINS.normals),
    sample: numberOr(vector, 'sample', 0),
    block: numberOr(vector, 'block', 0),
  });
  philox4x32(counter, philoxKey(asNumber(vector['seed'], `${name}.seed`)), PHILOX_ROUNDS, out);
  const uniforms = [uniform52(out[0]!, out[1]!), uniform52(out[2]!, out[3]!)];
  checkWords(tally, vector['words'], `${name}.words`, out);
  checkPair(tally, vector, { name, member: 'u52', actual: uniforms });
  checkPair(tally, vector, { name, member: 'normal', actual: uniforms.map(normalQuantile) });
}

function checkBulk(tally: Tally, vector: Members, name: string): void {
  const seed = asNumber(vector['seed'], `${name}.seed`);
  const domain = numberOr(vector, 'domain', PHILOX_DOMAINS.normals);
  const samples = asNumber(vector['samples'], `${name}.samples`);
  const dimensions = asNumber(vector['dims'], `${name}.dims`);
  const firstSample = numberOr(vector, 'first_sample', 0);
  const hash = createHash('sha256');
  let sum = 0;
  let min = Infinity;
  let max = -Infinity;
  for (let done = 0; done < samples; done += CHUNK_SAMPLES) {
    const chunk = new Float64Array(Math.min(CHUNK_SAMPLES, samples - done) * dimensions);
    fillNormals(chunk, { seed, domain, firstSample: firstSample + done, dimensions });
    hash.update(littleEndian(chunk));
    for (const z of chunk) {
      sum += z;
      if (z < min) min = z;
      if (z > max) max = z;
    }
  }
  const sha256 = vector['sha256_f64le_sample_major'];
  if (sha256 !== undefined) tally.equal(`${name}.sha256_f64le_sample_major`, sha256, hash.digest('hex'));
  checkValue(tally, vector, { name, member: 'sum_sequential', actual: sum });
  checkValue(tally, vector, { name, member: 'sum', actual: sum });
  checkValue(tally, vector, { name, member: 'min', actual: min });
  checkValue(tally, vector, { name, member: 'max', actual: max });
}

function checkChiSquare(tally: Tally, vector: Members, name: string): void {
  const nu = asNumber(vector['nu'], `${name}.nu`);
  const out = new Float64Array(1);
  fillChiSquares(out, {
    seed: asNumber(vector['seed'], `${name}.seed`),
    domain: numberOr(vector, 'domain', PHILOX_DOMAINS.chiSquareMixing),
    firstSample: numberOr(vector, 'sample', 0),
    nu,
  });
  const chi2 = out[0]!;
  checkValue(tally, vector, { name, member: 'chi2', actual: chi2 });
  checkValue(tally, vector, { name, member: 't_scale_sqrt_nu_over_chi2', actual: Math.sqrt(nu / chi2) });
}

function checkInverseNormal(tally: Tally, vector: Members, name: string): void {
  checkFunction(tally, vector, { name, argument: 'p', value: 'z', compute: normalQuantile });
  const scipy = vector['scipy_ppf'];
  if (scipy === undefined || vector['z_hex'] !== undefined || vector['z'] !== undefined) return;
  const z = normalQuantile(argumentOf(vector, 'p', name));
  tally.number(`${name}.scipy_ppf`, asNumber(scipy, `${name}.scipy_ppf`), z, SCIPY_TOLERANCE);
}

function checkFunction(
  tally: Tally,
  vector: Members,
  row: { name: string; argument: string; value: string; compute: (x: number) => number },
): void {
  const { name, argument, value, compute } = row;
  checkValue(tally, vector, { name, member: value, actual: compute(argumentOf(vector, argument, name)) });
}

/** Compares the bits in `<member>_hex` and the number in `<member>`, if present. */
function checkValue(
  tally: Tally,
  vector: Members,
  { name, member, actual }: { name: string; member: string; actual: number },
): void {
  const hex = vector[`${member}_hex`];
  if (hex !== undefined) tally.bits(`${name}.${member}_hex`, asText(hex, `${name}.${member}_hex`), actual);
  const number = vector[member];
  if (number !== undefined) tally.number(`${name}.${member}`, asNumber(number, `${name}.${member}`), actual);
}

/** Compares the bits in `<member>` and the numbers in `<member>_dec`, if present; both have two elements. */
function checkPair(
  tally: Tally,
  vector: Members,
  { name, member, actual }: { name: string; member: string; actual: number[] },
): void {
  for (const [index, value] of actual.entries()) {
    const at = `${name}.${member}[${index}]`;
    if (vector[member] !== undefined) tally.bits(at, asText(asList(vector[member], at)[index], at), value);
    const decimals = vector[`${member}_dec`];
    if (decimals !== undefined)
      tally.number(`${at} (decimal)`, asNumber(asList(decimals, at)[index], at), value);
  }
}

function checkWords(tally: Tally, expected: unknown, name: string, actual: Uint32Array): void {
  if (expected === undefined) return;
  const hex = (word: number) => word.toString(16).padStart(8, '0');
  tally.equal(name, [...words(expected, name, 4)].map(hex).join(' '), [...actual].map(hex).join(' '));
}

function argumentOf(vector: Members, member: string, name: string): number {
  const hex = vector[`${member}_hex`];
  if (hex !== undefined) return doubleOfHex(asText(hex, `${name}.${member}_hex`), `${name}.${member}_hex`);
  return asNumber(vector[member], `${name}.${member}`);
}

function numberOr(vector: Members, member: string, absent: number): number {
  return vector[member] === undefined ? absent : asNumber(vector[member], member);
}

function words(value: unknown, name: string, length: number): Uint32Array {
  const list = asList(value, name).map((each) => asText(each, name));
  if (list.length !== length || !list.every((word) => /^(0x)?[0-9a-f]{1,8}$/i.test(word))) {
    throw new GoldenFileError(`${name} is not a list of ${length} words in hex`);
  }
  return Uint32Array.from(list, (word) => parseInt(word, 16));
}

function littleEndian(numbers: Float64Array): Uint8Array {
  const view = new DataView(new ArrayBuffer(numbers.length * 8));
  numbers.forEach((number, index) => view.setFloat64(index * 8, number, true));
  return new Uint8Array(view.buffer);
}

/**
 * Returns why the recipe rejects the input of a vector (a seed, a position or `nu` out of range); undefined
 * if it accepts the input.
 */
function attempt(run: () => void): string | undefined {
  try {
    run();
  } catch (error) {
    if (error instanceof RangeError) return error.message;
    throw error;
  }
  return undefined;
}
