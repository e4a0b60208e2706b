import { askBack, refuse } from '../language/codes.ts';
import type { QueryDraft } from '../language/draft.ts';
import { CONVERTED } from '../language/frames/common.ts';
import { canonicalQuery, type SemanticQuery } from '../language/query.ts';
import { isFigure, isRecordNoun } from '../language/record-nouns.ts';
import type { Clock, Readers } from './readers.ts';
import { resolveCompare, resolveMarket } from './resolve-many.ts';
import { resolveLedger } from './resolve-ledger.ts';
import { resolveForecast, resolveModel, resolveRun } from './resolve-runs.ts';
import { knowledgeOf } from './resolve-period.ts';
import { resolveSeries, type Planned } from './resolve-series.ts';
import { heldMetrics, isOutcome, resolveSubject, type Outcome } from './resolve-subject.ts';

/** Resolves a draft against the stored data. The result is a canonical query, a refusal or a clarification. */
export async function resolve(draft: QueryDraft, readers: Readers, clock: Clock): Promise<Planned | Outcome> {
  const planned = await resolverOf(draft)(draft, readers, clock);
  if (isOutcome(planned)) return planned;
  return {
    ...planned,
    query: canonicalQuery(planned.query),
    assumptions: [...(draft.assumptions ?? []), ...planned.assumptions],
  };
}

type Resolver = (draft: QueryDraft, readers: Readers, clock: Clock) => Promise<Planned | Outcome>;

function resolverOf(draft: QueryDraft): Resolver {
  const key = draft.measures?.[0] ?? '';
  const [domain = ''] = key.split('.');
  if (draft.isOpen === true) return open;
  if (draft.op === 'capabilities')
    return async () => ({ query: { op: 'capabilities' }, assumptions: [], flags: [] });
  if (draft.op === 'define') return define;
  if (draft.run !== undefined) return resolveRun;
  if (domain === 'forecast') return resolveForecast;
  if (domain === 'regime') return resolveModel;
  if (isRecordNoun(domain)) return records;
  if (domain === 'taxonomy' || domain === 'instrument') return catalogue;
  if (draft.op === 'list' && key === 'metric') return catalogue;
  if (draft.op === 'compare' || (draft.mentions?.length ?? 0) > 1) return resolveCompare;
  if (draft.by === 'entity' || (draft.op === 'rank' && draft.by === undefined)) return resolveMarket;
  if (
    draft.op === 'explain' &&
    (key === 'price' || key === 'factor' || key === 'scenario' || key === 'regime')
  )
    return noun;
  return isLedger(draft) ? resolveLedger : resolveSeries;
}

/** Whether a question is about the ledger: it has a ledger measure and names no company. */
function isLedger({ measures, mentions }: QueryDraft): boolean {
  const hasLedger = measures?.some((key) => key.startsWith('ledger.')) ?? false;
  return hasLedger && !(mentions ?? []).some((subjects) => subjects.every(({ type }) => type === 'company'));
}

/**
 * Answers a question without a measure: offers the measures that are stored for the entities that the question names.
 */
async function open(draft: QueryDraft, readers: Readers): Promise<Outcome> {
  const companies = (draft.mentions ?? []).flatMap(
    (subjects) => subjects.find(({ type }) => type === 'company') ?? [],
  );
  const others = (draft.mentions ?? []).length - companies.length;
  if (companies.length > 0 && others === 0) {
    const lists = await Promise.all(companies.map(({ key }) => heldMetrics(readers, key)));
    return askBack(
      'missing_metric',
      lists[0]!.filter((key) => lists.every((list) => list.includes(key))),
    );
  }
  const isInstrument = (draft.mentions ?? []).some((subjects) =>
    subjects.some(({ type }) => type === 'instrument'),
  );
  return askBack(
    'missing_metric',
    isInstrument ? ['price.close', 'return of price.adj_close', 'price.volume'] : [],
  );
}

async function define(draft: QueryDraft, readers: Readers): Promise<Planned | Outcome> {
  const [key] = draft.measures!;
  if (
    draft.measures!.length > 1 &&
    !draft.measures!.some((each) => readers.measure(each)?.domain === 'companies')
  )
    return askBack('ambiguous_metric', draft.measures);
  const query: SemanticQuery = {
    op: 'define',
    measure: key!,
    ...(draft.what === undefined ? {} : { what: draft.what }),
  };
  return { query, assumptions: [], flags: [] };
}

async function noun(draft: QueryDraft): Promise<Planned> {
  return {
    query: { op: 'explain', measure: draft.measures![0]!, what: draft.what! },
    assumptions: [],
    flags: [],
  };
}

/**
 * Resolves a question about counts, lists, rankings and fields of records. Records have conditions instead of periods, so
 * a follow-up that adds a period or another entity is refused.
 */
async function records(given: QueryDraft, _readers: Readers, clock: Clock): Promise<Planned | Outcome> {
  const [noun = '', field = ''] = given.measures![0]!.split('.');
  const figure = isFigure(noun, field) ? figureDay(given, clock) : undefined;
  if (figure && 'outcome' in figure) return figure;
  const { when: _when, asOf: _asOf, ...plain } = given;
  const draft: QueryDraft = figure ? plain : given;
  const { op, measures, agg, by, what, order, limit, nth, mentions = [] } = draft;
  const named = mentions.map((subjects) => subjects.filter(({ type }) => type === noun));
  if (draft.when || draft.asOf || named.some(({ length }) => length === 0)) return refuse('not_understood');
  const { currency } = draft;
  // The currency of a follow-up replaces that of the question before. A named record has its own currency.
  if (currency === CONVERTED || (currency !== undefined && named.length > 0))
    return refuse('currency_conversion');
  const ambiguous = named.find(({ length }) => length > 1);
  if (ambiguous)
    return askBack(
      'ambiguous_entity',
      ambiguous.map(({ key }) => key),
    );
  const where = [
    ...(draft.where ?? []).filter(({ field: own }) => currency === undefined || own !== 'currency'),
    ...(currency === undefined ? [] : [{ field: 'currency', op: 'eq', value: currency }]),
    ...named.map(([subject]) => ({ field: 'label', op: 'eq', value: subject!.key })),
  ];
  const isAll = draft.agg === 'sum' && !where.some(({ field }) => field === 'currency' || field === 'label');
  const query: SemanticQuery = {
    op,
    measure: measures![0]!,
    ...(where.length > 0 ? { where } : {}),
    ...(agg ? { agg } : {}),
    ...(by ? { by } : {}),
    ...(order ? { order } : {}),
    ...(limit === undefined ? {} : { limit }),
    ...(nth === undefined ? {} : { nth }),
    ...(what === undefined ? {} : { what }),
    ...(figure?.day === undefined ? {} : { as_of: figure.day }),
  };
  return { query, assumptions: isAll ? ['by_currency'] : [], flags: [] };
}

/**
 * Returns the day of a figure that is derived from events. A figure at the end of a past day is the figure that was known
 * by the end of this day. A longer period needs its end to be named.
 */
function figureDay({ when, asOf }: QueryDraft, { today }: Clock): { day: string | undefined } | Outcome {
  const known = knowledgeOf(asOf, today);
  if (typeof known === 'object') return known;
  if (when === undefined) return { day: known };
  if (known !== undefined || when.kind !== 'stretch') return refuse('not_understood');
  if (when.grain !== 'day' && when.isEnd !== true) return refuse('not_understood');
  if (when.to > today) return refuse('not_in_coverage', { nearest: [today] });
  return { day: when.to };
}

/** Resolves a question that is about instruments, themes or metrics and names no period. */
async function catalogue(draft: QueryDraft, readers: Readers, clock: Clock): Promise<Planned | Outcome> {
  const asOf = knowledgeOf(draft.asOf, clock.today);
  if (typeof asOf === 'object') return asOf;
  const isAmbiguous = (draft.mentions ?? []).find((subjects) => subjects.length > 1);
  if (isAmbiguous) {
    const one = await resolveSubject({ kind: 'query', op: draft.op, mentions: [isAmbiguous] }, readers);
    if (isOutcome(one)) return one;
  }
  if (draft.when && draft.when.kind !== 'latest' && draft.when.kind !== 'now')
    return refuse('not_understood');
  const of = (draft.mentions ?? []).map((subjects) => subjects[0]!);
  const { op, measures, where, by, order, limit, nth } = draft;
  if (asOf !== undefined && !measures![0]!.startsWith('taxonomy.')) return refuse('not_understood');
  const query: SemanticQuery = {
    op,
    measure: measures![0]!,
    of,
    ...(where ? { where } : {}),
    ...(by ? { by } : {}),
    ...(order ? { order } : {}),
    ...(limit === undefined ? {} : { limit }),
    ...(nth === undefined ? {} : { nth }),
    ...(asOf === undefined ? {} : { as_of: asOf }),
  };
  return { query, assumptions: [], flags: [] };
}
