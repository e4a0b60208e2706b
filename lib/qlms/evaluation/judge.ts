import type { Answer } from '../answer.ts';
import { compare } from '../facts/decimals.ts';
import type { Fact } from '../facts/fact.ts';
import { queryKey } from '../language/query.ts';
import { textFaults } from '../wording/grounding.ts';
import type { Case, ExpectedFact, FactOrigin } from './suite.ts';

const RELATIVE = 1e-9;

/** The comparison of an answer with its case. Absent members do not apply to the case. */
export type Judged = {
  id: string;
  tags: readonly string[];
  expected: Case['expect']['outcome'];
  got: Case['expect']['outcome'];
  query?: boolean;
  facts?: boolean;
  code?: boolean;
  isFalseAnswer: boolean;
  isFalseRefusal: boolean;
  ungrounded: number;
  uncited: number;
  detail: string;
};

/** Compares an answer with its case. */
export function judge(test: Case, answer: Answer): Judged {
  const { expect, id, tags } = test;
  const isAnswered = expect.outcome === 'answered' && answer.outcome === 'answered';
  const query = isAnswered
    ? expect.query === undefined || queryKey(expect.query) === queryKey(answer.query)
    : undefined;
  const faults =
    isAnswered && !tags.includes('capabilities')
      ? factFaults(test, answer.facts, [...answer.assumptions, ...answer.flags])
      : [];
  // Without expected facts, an answer to another query counts as a false answer.
  const hasFacts = expect.facts !== undefined || expect.facts_from !== undefined;
  const facts = isAnswered ? (hasFacts ? faults.length === 0 : query === true) : undefined;
  const code =
    expect.outcome !== 'answered'
      ? answer.outcome === expect.outcome &&
        'code' in answer &&
        answer.code === expect.code &&
        hasOptions(expect.options, answer)
      : undefined;
  return {
    id,
    tags,
    expected: expect.outcome,
    got: answer.outcome,
    ...(query === undefined ? {} : { query }),
    ...(facts === undefined ? {} : { facts }),
    ...(code === undefined ? {} : { code }),
    isFalseAnswer: answer.outcome === 'answered' && (expect.outcome !== 'answered' || facts === false),
    isFalseRefusal: expect.outcome === 'answered' && answer.outcome !== 'answered',
    ungrounded: answer.outcome === 'answered' ? textFaults(answer).length : 0,
    uncited:
      answer.outcome === 'answered'
        ? answer.facts.filter((fact) => fact.source.name === '' || fact.as_of === '').length
        : 0,
    detail: describe(answer, faults),
  };
}

function describe(answer: Answer, faults: readonly string[]): string {
  if (answer.outcome === 'refused') return answer.code;
  if (answer.outcome === 'clarification')
    return `${answer.code} [${answer.options.map(({ label }) => label).join(', ')}]`;
  return `${JSON.stringify(answer.query)}${faults.length > 0 ? ` ${faults.join('; ')}` : ''}`;
}

function hasOptions(expected: readonly string[] | undefined, answer: Answer): boolean {
  if (expected === undefined || answer.outcome !== 'clarification') return true;
  const offered = new Set(answer.options.map(({ label }) => label));
  return expected.every((each) => offered.has(each));
}

function factFaults({ expect, tags }: Case, facts: readonly Fact[], told: readonly string[]): string[] {
  const untold = [...(expect.assumptions ?? []), ...(expect.flags ?? [])]
    .filter((each) => !told.includes(each))
    .map((each) => `not told: ${each}`);
  if (expect.facts_from) return [...untold, ...originFaults(expect.facts_from, facts)];
  const expected: readonly ExpectedFact[] = expect.facts ?? facts.map(() => ({}));
  if (expected.length !== facts.length)
    return [...untold, `${facts.length} facts instead of ${expected.length}`];
  const isUnit = tags.includes('unit') || tags.includes('currency');
  const isList = expect.query?.op === 'list';
  return [
    ...untold,
    ...expected.flatMap((each, index) => {
      const fact = isList
        ? facts.find(
            ({ text, of, value }) =>
              text === (each.text ?? null) &&
              (each.value === undefined || value === each.value) &&
              (each.of === undefined || of === each.of),
          )
        : facts[index];
      return fact && isEqual(each, fact, isUnit) ? [] : [`fact ${index + 1} differs`];
    }),
  ];
}

function isEqual(expected: ExpectedFact, fact: Fact, isUnit: boolean): boolean {
  const own = fact.value ?? (fact.number === null ? undefined : String(fact.number));
  if (
    expected.value !== undefined &&
    (fact.value === null ? Number(own) !== Number(expected.value) : compare(fact.value, expected.value) !== 0)
  )
    return false;
  if (expected.number !== undefined && !(own !== undefined && isNear(Number(own), expected.number)))
    return false;
  if (expected.text !== undefined && fact.text !== expected.text) return false;
  for (const name of ['of', 'period', 'currency'] as const)
    if (expected[name] !== undefined && fact[name] !== expected[name]) return false;
  return !isUnit || expected.unit === undefined || expected.unit === fact.unit;
}

function isNear(one: number, other: number): boolean {
  const difference = one < other ? other - one : one - other;
  const size = other < 0 ? -other : other;
  return difference <= RELATIVE * size;
}

/**
 * Compares the sources of facts with the expected origins. If an origin has neither a pointer nor a count, as for a
 * ranking, the run and the number of facts are compared.
 */
function originFaults(origins: readonly FactOrigin[], facts: readonly Fact[]): string[] {
  return origins.flatMap((origin, index) => {
    const fact = facts[index];
    if (!fact) return [`fact ${index + 1} is missing`];
    if (origin.record !== undefined) return fact.text === origin.name ? [] : [`fact ${index + 1} differs`];
    if (origin.tool !== undefined)
      return fact.source.kind === 'model' && fact.source.pointer?.startsWith(origin.pointer!) === true
        ? []
        : [`fact ${index + 1} has another source`];
    const isRun = fact.source.kind === 'run' && fact.source.name === origin.run;
    const pointer = origin.pointer ?? origin.count;
    const isPointer =
      pointer === undefined
        ? (origin.limit ?? facts.length) === facts.length
        : fact.source.pointer === pointer;
    return isRun && isPointer
      ? []
      : [`fact ${index + 1} has another source: ${fact.source.name} ${fact.source.pointer ?? ''}`];
  });
}
