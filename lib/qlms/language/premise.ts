import { refuse } from './codes.ts';
import { isDraft, type Claim, type QueryDraft, type Understood } from './draft.ts';
import type { Frame } from './frames/common.ts';
import { changes } from './frames/changes.ts';
import { compareMeasures } from './frames/comparisons.ts';
import { values } from './frames/series.ts';
import type { Lexeme, Reading } from './readings.ts';

/** Reads a question that refers to the preceding statement. */
type Lean = (lexemes: readonly Lexeme[], previous: QueryDraft) => Understood | undefined;
type Cover = (lexemes: readonly Lexeme[], only?: readonly Frame[]) => Understood | undefined;

/**
 * Reads a question that states something: "given that X fell, ...", "confirm that X is 5 million", "X rose, right?".
 * Returns undefined if nothing is stated.
 */
export function premiseOf(lexemes: readonly Lexeme[], cover: Cover, lean: Lean): Understood | undefined {
  const skip = lexemes[0]?.key === 'please' ? 1 : 0;
  const isLeading = hasCue(lexemes[skip], 'premise');
  const isTrailing =
    lexemes.length > 2 && hasCue(lexemes.at(-1), 'right') && lexemes.at(-1)!.before.includes(',');
  if (!isLeading && !isTrailing) return undefined;
  const all = isLeading ? lexemes.slice(skip + 1) : lexemes.slice(0, -1);
  const comma = isLeading ? all.findIndex(({ before }, index) => index > 0 && before.includes(',')) : -1;
  const clause = comma > 0 ? all.slice(0, comma) : all;
  const claim = claimOf(clause, cover);
  if (!claim)
    return lexemes[skip]!.key === 'as' || lexemes[skip]!.key === 'after'
      ? undefined
      : refuse('not_understood', { spans: spansOf(clause) });
  if (comma <= 0) return { kind: 'premise', claim, next: claim.draft };
  const main =
    lean(all.slice(comma), claim.draft) ??
    cover(all.slice(comma)) ??
    refuse('not_understood', { spans: spansOf(all.slice(comma)) });
  return {
    kind: 'premise',
    claim,
    next: isDraft(main) && main.kind === 'premise' ? refuse('not_understood') : (main as QueryDraft),
  };
}

/** Reads a statement: a direction of a change, or a value or bound of a figure. */
function claimOf(clause: readonly Lexeme[], cover: Cover): Claim | undefined {
  const stated = clause.map(({ text }) => text).join(' ');
  const directed = clause.flatMap(({ readings }) => readings.filter(isDirection));
  const changed = directed.length === 1 ? cover(clause, [changes]) : undefined;
  if (changed && isDraft(changed) && changed.kind === 'query')
    return { draft: changed, direction: directed[0]!.direction, stated };
  const at = clause.findIndex(({ readings }) =>
    readings.some(({ slot }) => slot === 'threshold' || slot === 'number'),
  );
  const bound = clause[at]?.readings.find((each) => each.slot === 'threshold' || each.slot === 'number');
  if (bound?.slot !== 'threshold' && bound?.slot !== 'number') return undefined;
  const isMoney =
    clause[at + 1]?.readings.some(({ slot }) => slot === 'currency') &&
    clause.filter(({ readings }) => readings.some(({ slot }) => slot === 'currency')).length > 1;
  const rest = clause.filter((_, index) => index !== at && !(isMoney && index === at + 1));
  const read = cover(rest, [values]);
  if (!read || !isDraft(read) || read.kind !== 'query') return undefined;
  return { draft: read, op: bound.slot === 'threshold' ? bound.op : 'eq', value: bound.value, stated };
}

function isDirection(reading: Reading): reading is Extract<Reading, { slot: 'direction' }> {
  return reading.slot === 'direction' && reading.direction !== 'any';
}

/**
 * Reads a question that asks for a cause. The question is refused, because stored facts contain no causes. A change
 * that the question states is checked first. Returns undefined if the question names no cause, or if a record states
 * the reason.
 */
export function causeOf(lexemes: readonly Lexeme[], cover: Cover): Understood | undefined {
  const at = lexemes.findIndex((lexeme) => hasCue(lexeme, 'why'));
  const isCause = lexemes.some((lexeme) => hasCue(lexeme, 'cause'));
  const hasMeasure = lexemes.some(({ readings }) => readings.some(({ slot }) => slot === 'measure'));
  if (!hasMeasure || (at < 0 && !isCause)) return undefined;
  const isWord = lexemes.some(({ key }) =>
    /^(cause|causes|caused|lead to|leads to|affects?|influences?|influence|drives?|drive|because|result in|make for|affect)$/.test(
      key,
    ),
  );
  if (at < 0) return isWord ? refuse('cause_not_in_facts') : undefined;
  const plain = cover(lexemes);
  if (plain) return plain;
  const rest = lexemes.filter((_, index) => index !== at);
  const directed = rest.flatMap(({ readings }) => readings.filter(isDirection));
  const changed = cover(rest, [changes, compareMeasures]);
  if (changed && isDraft(changed) && changed.kind === 'query' && changed.op === 'change') {
    const direction = directed[0]?.direction ?? 'any';
    const stated = direction === 'up' ? 'rose' : direction === 'down' ? 'fell' : 'changed';
    return {
      kind: 'premise',
      claim: { draft: changed, direction, stated },
      next: refuse('cause_not_in_facts'),
    };
  }
  return refuse('cause_not_in_facts');
}

function hasCue(lexeme: Lexeme | undefined, cue: string): boolean {
  return lexeme?.readings.some((each) => each.slot === 'cue' && each.cue === cue) ?? false;
}

function spansOf(lexemes: readonly Lexeme[]): { from: number; to: number }[] {
  return lexemes.map(({ from, to }) => ({ from, to }));
}
