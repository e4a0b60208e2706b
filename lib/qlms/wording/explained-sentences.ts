import type { Fact } from '../facts/fact.ts';
import type { SemanticQuery } from '../language/query.ts';
import { amount, figure, named, period, shown, type Part } from './sentence-parts.ts';

/** Writes the answers about definitions, sources, methods, coverage, revisions and capabilities. */
export function explained(query: SemanticQuery, facts: readonly Fact[]): Part[] {
  const [first] = facts as [Fact];
  const measure: Part[] = ['The ', named('measure', first)];
  if (query.op === 'capabilities')
    return ['Questions about these domains are answered: ', ...shownAll(facts), '.'];
  if (query.op === 'define')
    return query.what === 'unit'
      ? [...measure, ' is stated in: ', shown(first), '.']
      : [...measure, ' is defined as follows: ', ...sentence(first)];
  switch (query.what) {
    case 'source':
      return [...measure, ' comes from this source: ', shown(first), '.'];
    case 'method':
      return [...measure, ' is computed by the model ', shown(first), '.'];
    case 'freshness':
      return ['The newest value of the ', named('measure', first), ' is of ', shown(first), '.'];
    case 'coverage':
      return coverage(facts);
    case 'revisions':
      return revisions(facts);
    case 'horizon_end':
      return ['The last period of the forecast is ', shown(first), '.'];
    case 'backtest':
      return ['In the backtest, the mean absolute scaled error of the forecast is ', shown(first), '.'];
    case 'seal':
      return ['The hash of the seal of the run is ', shown(first), '.'];
    case 'error':
      return ['The error code on record is ', ...shownAll(facts), '.'];
    default:
      return [...measure, ' is ', ...shownAll(facts), '.'];
  }
}

/** A text that may end with its own full stop. */
function sentence(fact: Fact): Part[] {
  return /[.!?]$/.test(fact.display) ? [shown(fact)] : [shown(fact), '.'];
}

function shownAll(facts: readonly Fact[]): Part[] {
  return facts.flatMap((fact, index): Part[] => (index === 0 ? [shown(fact)] : ['; ', shown(fact)]));
}

function coverage([first, last, count]: readonly Fact[]): Part[] {
  return [
    'The ',
    named('measure', first!),
    ' is on record from ',
    shown(first!),
    ' to ',
    shown(last!),
    '. The number of periods with a value is ',
    shown(count!),
    '.',
  ];
}

function revisions(facts: readonly Fact[]): Part[] {
  const [values, result] = [facts.slice(0, -1), facts.at(-1)!];
  const [first] = values as [Fact];
  const told = values.flatMap((fact, index): Part[] => [
    ...(index === 0 ? [] : ['; then ']),
    ...amount(fact),
    ...(fact.known_at === null ? [] : [', known on ', named('known_at', fact)]),
  ]);
  const isRevised = values.length > 1;
  return [
    'The ',
    ...figure(first),
    ...period(first),
    isRevised
      ? ' was revised. The values on record, the oldest first, are '
      : ' was not revised. The value on record is ',
    ...told,
    ...(isRevised ? ['. The difference is ', ...amount(result)] : []),
    '.',
  ];
}
