import { isSafe } from 'redos-detector';
import type { TSchema } from 'typebox';
import { regexpLiterals, type Source } from './source.ts';

/** A regular expression and the files or schemas that contain it. */
export type Expression = { expression: RegExp; at: string[] };

/** Returns the regular expressions in the files, each once. */
export function expressionsOf(sources: readonly Source[]): Expression[] {
  return eachOnce(
    sources.flatMap((source) =>
      regexpLiterals(source).map((literal) => {
        const end = literal.lastIndexOf('/');
        return { at: source.path, expression: new RegExp(literal.slice(1, end), literal.slice(end + 1)) };
      }),
    ),
  );
}

/** Returns the patterns of schemas as the validator compiles them. */
export function patternsOf(schemas: readonly { at: string; schema: TSchema | undefined }[]): Expression[] {
  return eachOnce(
    schemas.flatMap(({ at, schema }) => patternsIn(schema).map((expression) => ({ at, expression }))),
  );
}

function patternsIn(schema: unknown): RegExp[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { pattern, patternProperties } = schema as { pattern?: unknown; patternProperties?: object };
  const own = [pattern, ...Object.keys(patternProperties ?? {})].filter((each) => typeof each === 'string');
  return [...own.map((each) => new RegExp(each, 'u')), ...Object.values(schema).flatMap(patternsIn)];
}

function eachOnce(found: readonly { at: string; expression: RegExp }[]): Expression[] {
  const groups = Map.groupBy(found, ({ expression }) => String(expression));
  return [...groups.values()].map((group) => ({
    expression: group[0]!.expression,
    at: [...new Set(group.map(({ at }) => at))],
  }));
}

const ATTACK_CHARACTERS = 65_536;
/**
 * The lengths of attack strings, in characters: short strings reveal exponential time, longer strings cubic
 * and quadratic time.
 */
const LENGTHS = [24, 256, 4_096];
const SHORT_CHARACTERS = LENGTHS.at(-1)!;
/** Characters that expressions often treat specially. */
const USUAL = [...'aX0_ "\\.,:/@-+*={<\n\u00e9'];

/**
 * Yields the units that attack strings repeat: common characters, the characters and words of the expression and, with
 * `pairs`, pairs of them.
 */
function* attacks(expression: RegExp, pairs: boolean): Generator<string> {
  const words = expression.source.match(/[\w "<>=:/-]{2,}/g) ?? [];
  const units = [...new Set([...USUAL, ...expression.source, ...words])];
  for (const unit of units) yield unit;
  if (!pairs) return;
  for (const first of units) for (const second of units) if (first !== second) yield first + second;
}

/**
 * The limits of the analysis. They count steps, so that the result does not depend on the speed of the
 * machine.
 */
const ANALYSIS = { maxScore: 300, maxSteps: 1_000, timeout: Infinity };

/**
 * Returns the attack string on which an expression takes more than linear time, if one exists. A static analysis proves
 * most expressions safe, but it often reports false positives. An expression that the analysis does not prove safe is
 * also attacked with pairs of characters and words. The time limit is a fraction of the time of an expression that is
 * known to be quadratic, so that the speed of the machine does not matter.
 */
export function slowOn(expression: RegExp): string | undefined {
  const pairs = !isSafe(expression, ANALYSIS).safe;
  const limit = squareTime() / 8;
  for (const unit of attacks(expression, pairs)) {
    const attack = (length: number) => `${unit.repeat(Math.ceil(length / unit.length))}\u0001`;
    if (LENGTHS.some((length) => time(expression, attack(length), limit) > limit)) return unit;
  }
  for (const unit of attacks(expression, false)) {
    const attack = `${unit.repeat(Math.ceil(ATTACK_CHARACTERS / unit.length))}\u0001`;
    const longLimit = limit * (ATTACK_CHARACTERS / SHORT_CHARACTERS);
    if (time(expression, attack, longLimit) > longLimit) return unit;
  }
  return undefined;
}

/**
 * Returns the milliseconds that the search for all matches in the text takes: the shortest of at most ten attempts. The
 * attempts end once one is within the limit.
 */
function time(expression: RegExp, text: string, limit: number): number {
  let best = Infinity;
  for (let turn = 0; turn < 10 && best > limit; turn += 1) {
    const began = performance.now();
    text.replace(expression, '');
    best = Math.min(best, performance.now() - began);
  }
  return best;
}

let square: number | undefined;

/**
 * Returns the time that `a+$` takes on a short run of the letter a with `!` at the end. The search restarts at
 * each letter, which takes quadratic time.
 */
function squareTime(): number {
  return (square ??= time(/a+$/, `${'a'.repeat(SHORT_CHARACTERS)}!`, 0));
}
