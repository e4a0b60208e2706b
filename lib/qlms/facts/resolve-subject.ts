import type { Measure } from '../language/catalogue.ts';
import { askBack, refuse, type Clarification, type Refusal } from '../language/codes.ts';
import type { QueryDraft } from '../language/draft.ts';
import { CONVERTED } from '../language/frames/common.ts';
import type { Subject } from '../language/query.ts';
import type { Observation, Readers } from './readers.ts';

/** A measure with its subject and its stored periods, as known at `asOf`. */
export type Held = {
  measure: Measure;
  of: readonly Subject[];
  subject: string | undefined;
  held: readonly Observation[];
  unit?: string;
};

export type Outcome = Refusal | Clarification;

export function isOutcome<T extends object>(value: T | Outcome): value is Outcome {
  return 'outcome' in value;
}

/**
 * Chooses the measure, subject and currency of a question about one series. A measure without stored values is replaced
 * by a measure of the same name that has values.
 */
export async function resolveHeld(
  draft: QueryDraft,
  readers: Readers,
  asOf: string | undefined,
): Promise<Held | Outcome> {
  const subject = await resolveSubject(draft, readers);
  if (isOutcome(subject)) return subject;
  const candidates = (draft.measures ?? [])
    .flatMap((key) => readers.measure(key) ?? [])
    .filter(({ subject: type }) => type !== 'currency' && fits(type, subject.one));
  for (const measure of candidates) {
    const key = measure.subject === 'none' ? undefined : subject.one?.key;
    const held = await readers.series(measure.key, key, undefined);
    if (held.length > 0)
      return narrowed(
        { measure, of: subject.one ? [subject.one] : [], subject: key, held },
        { draft, readers, asOf },
      );
  }
  return refuse('metric_not_held', { nearest: await nearestMetrics(readers, subject.one) });
}

function fits(type: Measure['subject'], one: Subject | undefined): boolean {
  return type === 'none' ? one === undefined : one?.type === type;
}

async function nearestMetrics(readers: Readers, one: Subject | undefined): Promise<string[]> {
  return one?.type === 'company' ? heldMetrics(readers, one.key) : [];
}

/** Returns the keys of the metrics that are stored for a company. */
export async function heldMetrics(readers: Readers, company: string): Promise<string[]> {
  const entity = (await readers.entities('company')).find(({ key }) => key === company);
  return (entity?.attributes.metrics ?? '')
    .split(' ')
    .filter((name) => name !== '')
    .map((name) => `metric.${name}`);
}

/** Chooses the one entity that a question names. */
export async function resolveSubject(
  draft: QueryDraft,
  readers: Readers,
): Promise<{ one: Subject | undefined } | Outcome> {
  const [mention] = draft.mentions ?? [];
  const types = [...new Set((draft.measures ?? []).flatMap((key) => readers.measure(key)?.subject ?? []))];
  if (!mention) {
    const isAlone = types.includes('none') || types.includes('currency');
    const [type] = types;
    if (isAlone || type === undefined) return { one: undefined };
    const entities = await readers.entities(type);
    const holding = entities.filter(
      ({ attributes }) =>
        type !== 'company' ||
        (draft.measures ?? []).some((key) =>
          ` ${attributes.metrics} `.includes(` ${key.replace(/^metric\./, '')} `),
        ),
    );
    if (type === 'company' && holding.length === 0) return refuse('metric_not_held');
    return askBack('missing_entity', type === 'company' ? holding.map(({ label }) => label) : []);
  }
  if (mention.length === 1) return { one: mention[0] };
  const entities = await readers.entities(mention[0]!.type);
  const isCompany = mention[0]!.type === 'company';
  return askBack(
    'ambiguous_entity',
    mention
      .slice(0, 40)
      .map(({ key }) => (isCompany ? (entities.find((each) => each.key === key)?.label ?? key) : key)),
  );
}

type With = { draft: QueryDraft; readers: Readers; asOf: string | undefined };

/** Restricts the stored values to those known at `asOf` and to the currency that the question names. */
async function narrowed(all: Held, { draft, readers, asOf }: With): Promise<Held | Outcome> {
  const { measure, subject } = all;
  const held = asOf === undefined ? all.held : await readers.series(measure.key, subject, asOf);
  const currencies = [...new Set(all.held.flatMap(({ currency }) => currency ?? []))].sort();
  if (draft.currency !== undefined) {
    if (measure.kind === 'price') return refuse('unit_unknown');
    if (measure.unit !== 'money') return refuse('unit_mismatch');
    if (draft.currency === CONVERTED || !currencies.includes(draft.currency))
      return refuse('currency_conversion', { nearest: currencies });
  }
  if (currencies.length <= 1) return { ...all, held };
  if (draft.currency === undefined) {
    return askBack('ambiguous_currency', currencies);
  }
  return { ...all, held: held.filter(({ currency }) => currency === draft.currency), unit: draft.currency };
}
