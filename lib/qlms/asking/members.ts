import { canonicalHash } from '#lib/core/seal.ts';
import type { Answer } from '../answer.ts';
import type { Fact } from '../facts/fact.ts';
import type { SourceRecord } from '../readers/reading.ts';
import { assumptionDetail, clarificationPrompts, refusalDetails } from '../wording/explanations.ts';
import { ANSWERS, type QlmFact, type SealedAnswer } from './answer.schema.ts';

const NOWHERE: SourceRecord = {
  dataset_uid: null,
  revision: null,
  record_uid: null,
  run_uid: null,
  seal_hash: null,
};

type Given = Pick<SealedAnswer, 'qlm' | 'input' | 'bound_lqm'> & {
  /** The hash of the code that answers. Undefined: an answer of an earlier release is made again. */
  engine_hash: string | undefined;
  revisions: Readonly<Record<string, number>>;
  records: ReadonlyMap<string, string>;
  sources: ReadonlyMap<string, SourceRecord>;
  /** The as-of day of the whole question: only data known by its end is used. */
  asOf: string | undefined;
  /** How the question became a query. Default: by the embedded engine. */
  planner?: SealedAnswer['planner'];
  /** How the facts were put into words. Default: by the template. */
  wording?: Pick<SealedAnswer['wording'], 'kind' | 'fallback_code'>;
};

/** Returns the members of an answer that the seal covers. */
export function membersOf(answer: Answer, given: Given): SealedAnswer {
  const isAnswered = answer.outcome === 'answered';
  const flags = isAnswered ? [...answer.flags] : [];
  const recordState = Object.fromEntries([...given.records].sort(([a], [b]) => (a < b ? -1 : 1)));
  return {
    kind: ANSWERS,
    qlm: given.qlm,
    input: given.input,
    input_data: {
      dataset_revisions: { ...given.revisions },
      record_state: recordState,
      record_state_hash: canonicalHash(recordState),
    },
    outcome: answer.outcome,
    text: isAnswered ? answer.text : null,
    slots: isAnswered ? [...answer.slots] : [],
    ...(isAnswered && answer.names ? { mentions: [...(answer.mentions ?? [])], names: answer.names } : {}),
    // A query of the engine has the members of the schema, with read-only lists.
    query: isAnswered ? (answer.query as SealedAnswer['query']) : null,
    facts: isAnswered ? answer.facts.map((fact) => presentFact(fact, { ...given, flags })) : [],
    assumptions: isAnswered
      ? answer.assumptions.map((code) => ({ code, detail: assumptionDetail(code) }))
      : [],
    flags,
    clarification:
      answer.outcome === 'clarification'
        ? {
            code: answer.code,
            prompt: clarificationPrompts[answer.code],
            options: answer.options.map(({ label, query }, index) => ({
              n: index + 1,
              label,
              query: (query ?? null) as SealedAnswer['query'],
            })),
          }
        : null,
    refusal:
      answer.outcome === 'refused'
        ? {
            code: answer.code,
            detail: refusalDetails[answer.code],
            spans: answer.spans.map(({ from, to }) => ({ from, to })),
            nearest: answer.nearest.map((label) => ({ label, query: null })),
          }
        : null,
    planner: given.planner ?? { kind: 'embedded', fallback_code: null },
    wording: {
      ...(given.wording ?? { kind: 'template', fallback_code: null }),
      ...(isAnswered && answer.names ? { template: 2 as const } : {}),
    },
    bound_lqm: given.bound_lqm,
    ...(given.engine_hash === undefined ? {} : { engine_hash: given.engine_hash }),
  };
}

/** Returns the content of an answer, without its input and without the revisions and records of the data. */
export function statedBy(members: SealedAnswer) {
  const { outcome, text, slots, query, facts, assumptions, flags, clarification, refusal } = members;
  const { mentions, names } = members;
  const stated = { outcome, text, slots, query, facts, assumptions, flags, clarification, refusal };
  return { ...stated, ...(mentions ? { mentions } : {}), ...(names ? { names } : {}) };
}

/** Returns the hash of the content that `statedBy` returns for an answer. */
export function resultHashOf(members: SealedAnswer): string {
  return canonicalHash(statedBy(members));
}

/** Presents a fact. A double is presented as its shortest decimal text, from which the same double can be read. */
function presentFact(
  fact: Fact,
  { sources, asOf, flags }: Pick<Given, 'sources' | 'asOf'> & { flags: readonly string[] },
): QlmFact {
  const { kind, name, pointer } = fact.source;
  return {
    id: fact.id,
    role: fact.role,
    measure: fact.measure,
    of: fact.of === null ? [] : [fact.of],
    period: fact.period,
    value: fact.value ?? (fact.number === null ? null : decimalText(fact.number)),
    text: fact.text,
    unit: fact.unit,
    currency: fact.currency,
    display: fact.display,
    rounding: fact.rounding,
    formula: fact.formula,
    inputs: [...fact.inputs],
    source: { kind, name, ...(sources.get(name) ?? NOWHERE), pointer: pointer ?? null },
    as_of: asOf !== undefined && asOf < fact.as_of ? asOf : fact.as_of,
    known_at: fact.known_at,
    known_at_basis: fact.known_at_basis,
    stale: flags.includes('stale'),
    ...(fact.periods === undefined ? {} : { periods: fact.periods }),
    ...(fact.entities === undefined ? {} : { entities: fact.entities }),
    ...(fact.rises === undefined ? {} : { rises: fact.rises }),
    ...(fact.falls === undefined ? {} : { falls: fact.falls }),
    ...(fact.direction === undefined ? {} : { direction: fact.direction }),
  };
}

/** Returns the shortest decimal text of a double, without an exponent. */
function decimalText(number: number): string {
  const [mantissa = '', exponent] = String(number).split('e');
  if (exponent === undefined) return mantissa;
  const [whole = '', decimals = ''] = mantissa.replace('-', '').split('.');
  const digits = whole + decimals;
  const point = whole.length + Number(exponent);
  const sign = number < 0 ? '-' : '';
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  if (point >= digits.length) return sign + digits + '0'.repeat(point - digits.length);
  return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
}
