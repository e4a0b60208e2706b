import type { Fact } from '../facts/fact.ts';
import type { SemanticQuery } from '../language/query.ts';

/** The position of a displayed fact in a text, in UTF-16 units. */
export type Slot = { from: number; to: number; fact: string };
export type Written = { text: string; slots: Slot[] };

/** A part of a text: words without digits, or a displayed fact. */
type Part = string | Fact;

/** Writes the text of an answer. All numbers in the text are displayed facts; each has a slot. */
export function writeAnswer(query: SemanticQuery, facts: readonly Fact[]): Written {
  return join(partsOf(query, facts));
}

function partsOf(query: SemanticQuery, facts: readonly Fact[]): Part[] {
  const results = facts.filter(({ role }) => role === 'result');
  if (facts.length === 0) return ['Nothing on record matches the question.'];
  if (query.op === 'change' || query.op === 'compare')
    return ['From ', facts[1]!, ' and ', facts[0]!, ', the ', formName(query), ' is ', results[0]!, '.'];
  if (query.op === 'trend')
    return [
      'The first value is ',
      facts[0]!,
      ' and the last value is ',
      facts[1]!,
      '. The difference is ',
      facts[2]!,
      '.',
    ];
  if (query.op === 'explain' && query.what === 'coverage')
    return [
      'The first period is ',
      facts[0]!,
      ' and the last period is ',
      facts[1]!,
      '. The number of periods is ',
      facts[2]!,
      '.',
    ];
  if (query.op === 'explain' && query.what === 'revisions')
    return [
      'The values on record, oldest first, are ',
      ...listed(facts.slice(0, -1)),
      '. The difference is ',
      facts.at(-1)!,
      '.',
    ];
  if (results.length === 1) return [`${opening(query)} is `, results[0]!, '.'];
  return [`${opening(query)} has these results: `, ...listed(results), '.'];
}

const FORMS: Readonly<Record<string, string>> = {
  points: 'change in percentage points',
  basis_points: 'change in basis points',
  percent: 'change in percent',
  annualised_percent: 'annualised change',
  ratio: 'ratio',
};

function formName({ op, as }: SemanticQuery): string {
  return as === undefined ? (op === 'compare' ? 'difference' : 'change') : FORMS[as]!;
}

function opening({ op, agg }: SemanticQuery): string {
  if (op === 'count') return 'The count';
  if (op === 'aggregate')
    return { mean: 'The mean', median: 'The median', min: 'The minimum', max: 'The maximum', sum: 'The sum' }[
      agg!
    ];
  if (op === 'rank') return 'The ranking';
  return op === 'list' || op === 'capabilities' ? 'The list' : 'The value';
}

function listed(facts: readonly Fact[]): Part[] {
  return facts.flatMap((fact, index) => (index === 0 ? [fact] : ['; ', fact]));
}

function join(parts: readonly Part[]): Written {
  let text = '';
  const slots: Slot[] = [];
  for (const part of parts) {
    if (typeof part === 'string') text += part;
    else {
      slots.push({ from: text.length, to: text.length + part.display.length, fact: part.id });
      text += part.display;
    }
  }
  return { text, slots };
}
