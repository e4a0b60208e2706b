import { domainOf, type Catalogue } from '../language/catalogue.ts';
import type { Span } from '../language/codes.ts';
import { compose } from '../language/compose.ts';
import { lex } from '../language/lex.ts';
import { canonicalQuery, type QueryPeriod, type SemanticQuery, type Where } from '../language/query.ts';
import { queryFault } from '../language/query-types.ts';
import type { Lexeme } from '../language/readings.ts';
import { isNeutral, licencesOf } from './licences.ts';
import { unmasked, type Masked } from './masking.ts';

/** The proposal of a provider: a query, and the parts of the masked question that the provider used for the query. */
export type Proposal = { query: SemanticQuery; spans: readonly (Span & { slot: string })[] };

/**
 * The verdict on a proposal. `licensed`: words in our lexicon license every part of the query. `option`: one part rests
 * on words that our lexicon does not have, so that a person has to choose it. `rejected`: neither.
 */
export type Verdict =
  | { kind: 'licensed'; query: SemanticQuery }
  | { kind: 'option'; query: SemanticQuery; spans: readonly Span[] }
  | { kind: 'rejected'; reason: 'types' | 'spans' | 'uncovered' | 'unlicensed' };

const SPANS_MAX = 50;

/**
 * Judges a proposal for a question. The proposal can contain any values of the declared types: none of them is trusted.
 */
export function judgeProposal(
  { query, spans }: Proposal,
  {
    question,
    masked,
    catalogue,
    today,
  }: { question: string; masked: Masked; catalogue: Catalogue; today: string },
): Verdict {
  if (queryFault(query, catalogue.measures)) return { kind: 'rejected', reason: 'types' };
  const keys = [query.measure, query.baseline?.measure].flatMap((key) => key ?? []);
  if (keys.some((key) => !catalogue.open.has(domainOf(key) ?? 'economics')))
    return { kind: 'rejected', reason: 'types' };
  if (!areSpans(spans, masked.text.length)) return { kind: 'rejected', reason: 'spans' };
  const read = spans.map((span) => unmasked(masked, span));
  const { lexemes, corrections } = lex(question, catalogue.lexicon, { today });
  const content = compose(lexemes).filter((lexeme) => !isFunction(lexeme));
  if (corrections.length > 0 || !content.every((lexeme) => isIn(lexeme, read)))
    return { kind: 'rejected', reason: 'uncovered' };
  const isNew = (lexeme: Lexeme): boolean => lexeme.readings.every(({ slot }) => slot === 'unknown');
  const known = content.filter((lexeme) => !isNew(lexeme));
  const held = known.map((lexeme) => ({ lexeme, licences: licencesOf(lexeme) }));
  const needs = needsOf(query);
  const isMet = (need: Need): boolean => need.some((each) => held.some(({ licences }) => licences.has(each)));
  const unmet = needs.filter((need) => !isMet(need));
  const used = new Set(needs.flat());
  if (query.period?.at === 'latest') used.add('p:latest');
  const isLost = held.some(
    ({ lexeme, licences }) => !isNeutral(lexeme) && ![...licences].some((licence) => used.has(licence)),
  );
  if (isLost) return { kind: 'rejected', reason: 'unlicensed' };
  const fresh = content.filter(isNew).map(({ from, to }) => ({ from, to }));
  const canonical = canonicalQuery(query);
  if (unmet.length === 0 && fresh.length === 0) return { kind: 'licensed', query: canonical };
  return unmet.length <= 1 && fresh.length > 0
    ? { kind: 'option', query: canonical, spans: fresh }
    : { kind: 'rejected', reason: 'unlicensed' };
}

function areSpans(spans: readonly Span[], length: number): boolean {
  return (
    Array.isArray(spans) &&
    spans.length <= SPANS_MAX &&
    spans.every((span) => typeof span === 'object' && span !== null) &&
    spans.every(
      ({ from, to }) =>
        Number.isInteger(from) && Number.isInteger(to) && 0 <= from && from < to && to <= length,
    )
  );
}

function isFunction({ readings }: Lexeme): boolean {
  return readings.some(({ slot }) => slot === 'function');
}

function isIn({ from, to }: Span, spans: readonly Span[]): boolean {
  return spans.some((span) => span.from <= from && to <= span.to);
}

/** The licences that permit one part of a query. Any one of them is enough. */
type Need = readonly string[];

/**
 * Returns the licences for each part of a query. The words of the question must give at least one of the licences of
 * each part.
 */
function needsOf(query: SemanticQuery): Need[] {
  const {
    op,
    measure,
    of = [],
    where = [],
    period,
    baseline,
    agg,
    as,
    by,
    order,
    limit,
    nth,
    run,
    unit,
  } = query;
  const isSum = agg === 'sum';
  const needs: Need[] = [];
  if (measure !== undefined) needs.push(measureNeed(query));
  if (baseline?.measure !== undefined) needs.push([`m:${baseline.measure}`]);
  for (const { type, key } of of) needs.push([type === 'currency' ? `c:${key}` : `e:${type}:${key}`]);
  for (const each of where) needs.push(...conditionNeeds(each));
  needs.push(...periodNeeds(period), ...periodNeeds(baseline?.period));
  if (agg !== undefined && !isSum) needs.push([`a:${agg}`]);
  if (as !== undefined)
    needs.push([`u:${as}`, ...(as === 'percent' ? ['m:return', 'm:inflation', 'q:growth'] : [])]);
  if (by === 'sector' || by === 'state') needs.push([`q:by_${by}`]);
  if (order === 'desc' || order === 'asc') needs.push([`r:${order}`]);
  else if (order !== undefined) needs.push([order === 'earliest' ? 'q:first' : 'q:last_time', 'p:latest']);
  if (nth !== undefined) needs.push([`nth:${nth}`]);
  if (limit !== undefined && limit !== 1 && limit !== 10 && limit !== nth) needs.push([`n:${limit}`]);
  if (query.as_of !== undefined) needs.push([`d:${query.as_of}`]);
  if (unit !== undefined) needs.push([`c:${unit}`]);
  if (run?.as_of_date !== undefined) needs.push([`d:${run.as_of_date}`]);
  else if (run !== undefined) needs.push(run.select === 'latest' ? ['p:latest'] : ['run']);
  if (query.what !== undefined) needs.push([`q:${query.what}`]);
  const isNamed =
    op === 'value' || (op === 'aggregate' && isSum) || (op === 'explain' && query.what !== undefined);
  if (!isNamed) needs.push([`o:${op}`, ...(op === 'change' ? ['m:return', 'm:inflation', 'o:compare'] : [])]);
  return needs;
}

/**
 * Returns the licences that permit the measure of a query. For a change in percent, the word "inflation" or "return"
 * can also permit it.
 */
function measureNeed({ op, measure, as, order }: SemanticQuery): Need {
  const isPercent = as === 'percent' && (op === 'change' || (op === 'rank' && order !== undefined));
  if (isPercent && measure === 'economics.CPIAUCNS') return [`m:${measure}`, 'm:inflation'];
  if (isPercent && measure === 'price.adj_close') return [`m:${measure}`, 'm:return'];
  return [`m:${measure}`];
}

function conditionNeeds({ field, op, value }: Where): Need[] {
  if (field === 'value') return [[`t:${op}:${Number(value)}`]];
  if (field === 'sector') return [[`s:${String(value)}`]];
  if (field === 'currency') return [[`c:${String(value)}`]];
  if (field === 'counterparty') return [[`e:counterparty:${String(value)}`]];
  if (field === 'key') return [[`e:workflow:${String(value)}`]];
  if (field === 'metric') return [[`m:${String(value)}`, `m:metric.${String(value)}`]];
  if (field === 'level') return [[`n:${Number(value)}`, `n:${Math.round(Number(value) * 1000) / 10}`]];
  if (op === 'eq' && typeof value === 'string') return [[`w:${field}:${value}`]];
  if (op === 'between' && Array.isArray(value)) return value.map((each) => [`d:${String(each)}`]);
  return [[`d:${String(value)}`]];
}

function periodNeeds(period: QueryPeriod | undefined): Need[] {
  if (!period) return [];
  const { at, from, to, last } = period;
  if (at === 'latest') return [];
  if (at !== undefined) return [[`p:${at}`]];
  if (last !== undefined) return [[`pl:${last}:month`, `pl:${last}:quarter`, `pl:${last}:year`]];
  return [[`pf:${from!}`], ...(to === undefined ? [] : [[`pt:${to}`]])];
}
