import { dayStretch, monthStretch, quarterStretch, yearStretch, type Stretch } from '../language/calendar.ts';
import type { Clarification, Option } from '../language/codes.ts';
import type { QueryDraft } from '../language/draft.ts';
import type { Aggregate, Subject } from '../language/query.ts';
import type { Clock, Readers } from './readers.ts';
import { resolve } from './resolve.ts';
import { isOutcome } from './resolve-subject.ts';

/** The options that can be chosen by their number. */
const OPTIONS_MAX = 8;

/**
 * Adds a query to each option of a clarification that completes the question. An option that
 * needs a further choice has only a label.
 */
export async function withQueries(
  asked: Clarification,
  draft: QueryDraft,
  { readers, clock }: { readers: Readers; clock: Clock },
): Promise<Clarification> {
  const options: Option[] = [];
  for (const option of asked.options) {
    const chosen =
      option.query === undefined && options.length < OPTIONS_MAX
        ? await chosenDraft(asked.code, option.label, { draft, readers })
        : undefined;
    const planned = chosen && (await resolve(chosen, readers, clock));
    options.push(planned && !isOutcome(planned) ? { ...option, query: planned.query } : option);
  }
  return { ...asked, options };
}

type Choice = { draft: QueryDraft; readers: Readers };

/** Returns the draft completed by an option; undefined if the option does not complete the draft. */
async function chosenDraft(
  code: Clarification['code'],
  label: string,
  { draft, readers }: Choice,
): Promise<QueryDraft | undefined> {
  if (code === 'ambiguous_currency') return { ...draft, currency: label };
  if (code === 'ambiguous_unit') return withUnit(draft, label);
  if (code === 'ambiguous_aggregation') return withAggregate(draft, label);
  if (code === 'missing_metric' || code === 'ambiguous_metric') return withMeasure(draft, label, readers);
  if (code === 'missing_entity' || code === 'ambiguous_entity')
    return withSubject(draft, await subjectOf(label, { draft, readers }));
  const [, period] = /(?:^|against |as of )(\d{4}(?:-[\dQ]+)*)$/.exec(label) ?? [];
  const stretch = period === undefined ? undefined : stretchNamed(period);
  if (!stretch) return undefined;
  const when = { kind: 'stretch' as const, ...stretch };
  if (code === 'ambiguous_baseline') return { ...draft, base: when };
  if (code === 'ambiguous_date')
    return draft.asOf?.kind === 'ambiguous' ? { ...draft, asOf: when } : { ...draft, when };
  if (code !== 'ambiguous_run' || draft.run === undefined) return undefined;
  return { ...draft, run: { kind: draft.run.kind, when } };
}

function withUnit(draft: QueryDraft, label: string): QueryDraft | undefined {
  if (label === 'percentage points') return { ...draft, as: 'points' };
  return label === 'percent' ? { ...draft, isPercentChosen: true } : undefined;
}

const AGGREGATES: readonly string[] = ['mean', 'median', 'max', 'min'] satisfies Aggregate[];

function withAggregate(draft: QueryDraft, label: string): QueryDraft | undefined {
  if (label === 'end of period' && draft.when?.kind === 'stretch')
    return { ...draft, when: { ...draft.when, isEnd: true } };
  const agg = AGGREGATES.includes(label) ? (label as Aggregate) : undefined;
  return agg && draft.op === 'value' ? { ...draft, op: 'aggregate', agg } : undefined;
}

function withMeasure(draft: QueryDraft, label: string, readers: Readers): QueryDraft | undefined {
  const key = label === 'return of price.adj_close' ? 'return' : label;
  if (readers.measure(key) === undefined) return undefined;
  const { isOpen: _, ...rest } = draft;
  const isPair = (draft.mentions?.length ?? 0) === 2 && draft.op === 'value';
  return { ...rest, op: isPair ? 'compare' : draft.op, measures: [key] };
}

function withSubject(draft: QueryDraft, subject: Subject | undefined): QueryDraft | undefined {
  if (!subject) return undefined;
  const [, ...others] = draft.mentions ?? [];
  return { ...draft, mentions: [[subject], ...others] };
}

async function subjectOf(label: string, { draft, readers }: Choice): Promise<Subject | undefined> {
  const named = draft.mentions?.[0] ?? [];
  const types = new Set([
    ...named.map(({ type }) => type),
    ...(draft.measures ?? []).flatMap((key) => readers.measure(key)?.subject ?? []),
  ]);
  for (const type of types) {
    const found = (await readers.entities(type)).find((each) => each.label === label || each.key === label);
    if (found) return { type, key: found.key };
  }
  return undefined;
}

/** Returns the stretch that the name of a period stands for: "2024", "2024-Q3", "2024-03", "2024-03-31". */
function stretchNamed(name: string): Stretch | undefined {
  const [year = '', part, day] = name.split('-');
  if (part === undefined) return yearStretch(Number(year));
  if (part.startsWith('Q')) return quarterStretch(Number(year), Number(part.slice(1)));
  return day === undefined
    ? monthStretch(Number(year), Number(part))
    : dayStretch(Number(year), Number(part), Number(day));
}
