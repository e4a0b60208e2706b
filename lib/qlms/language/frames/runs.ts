import type { Bag } from '../bag.ts';
import type { When } from '../calendar.ts';
import { askBack } from '../codes.ts';
import type { RunAsked } from '../draft.ts';
import type { Shock, Where } from '../query.ts';
import { draftOf, takeLimit, takeMentions, takeWhen, type Frame } from './common.ts';

const FACTORS = 'investment.theme-factors';
const SCENARIOS = 'generative.scenarios';
const COMMON = ['which', 'show_list', 'how', 'entity_word', 'hold', 'how_much', 'use', 'all'];

/**
 * Takes the factor run that a question names by the as-of date of the run. "Latest" names the run that was sealed last.
 */
function takeFactorRun(bag: Bag): RunAsked {
  const asOf = bag.one('as_of');
  const when: When | undefined = asOf?.when ?? takeWhen(bag);
  if (when?.kind === 'latest') return { kind: FACTORS, isLatest: true };
  return when ? { kind: FACTORS, when } : { kind: FACTORS };
}

/**
 * Reads questions about statistics of theme factors: "the annualised return of A in the run as of D", "which theme had
 * the highest ...".
 */
export const factorStatistics: Frame = (bag, { catalogue }) => {
  if (!catalogue.measures.has('factor')) return undefined;
  const themes = takeMentions(bag, ['theme']);
  const statistic = bag.one('statistic', ({ domain }) => domain === 'factor')?.statistic;
  if (statistic === undefined || themes.length > 1) return undefined;
  bag.all('statistic', (each) => each.statistic === statistic);
  const isNamed = bag.nouns('factor_run', 'factor') > 0;
  const isTheme = bag.nouns('theme') > 0;
  bag.nouns('factor', 'factor_run');
  const isRanked = bag.cues('rank') > 0 && isTheme && themes.length === 0;
  const returns = bag
    .all('cue', ({ cue }) => cue === 'best_return')
    .map(({ lexeme }) => ({ order: /worst|loser/.test(lexeme.key) ? ('asc' as const) : ('desc' as const) }));
  const named = [...returns, ...bag.all('superlative')];
  const superlatives = named.length === 0 && isRanked ? [{ order: 'desc' as const }] : named;
  const nth = bag.one('nth')?.nth;
  const limit = superlatives.length > 0 ? takeLimit(bag) : undefined;
  const run = takeFactorRun(bag);
  bag.cues(...COMMON, 'rank', 'use');
  const measures = [`factor.${statistic}`];
  if (themes.length === 1)
    return superlatives.length === 0 ? draftOf('value', { measures, mentions: themes }, { run }) : undefined;
  if (superlatives.length === 0 || (!isTheme && !isNamed)) return undefined;
  const order = superlatives.some((each) => each.order === 'asc') ? 'asc' : 'desc';
  const isOne = bag.lexemes.some(({ key }) => /^(investment theme|theme|factor|theme factor)$/.test(key));
  const most = Math.max(nth ?? 1, limit ?? (isOne ? 1 : 10));
  return draftOf('rank', { measures }, { order, limit: most, ...(nth === undefined ? {} : { nth }), run });
};

/** Reads questions about a factor run: its symbols, its taxonomy version, its seal. */
export const factorRuns: Frame = (bag, { catalogue }) => {
  if (!catalogue.measures.has('factor')) return undefined;
  const isSeal = bag.cues('seal') > 0;
  const isCount = !isSeal && bag.cue('how_many');
  const isSymbols = isCount && bag.nouns('symbol', 'instrument') > 0;
  const isTaxonomy = !isCount && !isSeal && bag.nouns('taxonomy') > 0;
  if (!isSeal && !isSymbols && !isTaxonomy) return undefined;
  if (bag.nouns('factor_run') === 0) return undefined;
  bag.nouns('factor');
  const run = takeFactorRun(bag);
  bag.cues(...COMMON, 'belong', 'in_sector');
  if (isSeal) return draftOf('explain', { measures: ['run'] }, { run, what: 'seal' });
  return draftOf(
    'value',
    { measures: [isSymbols ? 'factor_run.symbols' : 'factor_run.taxonomy_version'] },
    { run },
  );
};

/** Takes the shocks of a question: "Exxon down 15 percent", "if Apple falls 20 %", "a 15 % fall in Exxon". */
function takeShock(bag: Bag): { shock: Shock; isWhole: boolean } | undefined {
  const number = bag.see('number', ({ unit }) => unit === 'percent')[0];
  const direction = bag.see('direction', ({ direction: each }) => each !== 'any')[0];
  const factors = bag.see('entity', ({ subjects }) =>
    subjects.some(({ type }) => type === 'factor' || type === 'instrument'),
  );
  if (!number || !direction || factors.length === 0) return undefined;
  const nearest = [...factors].sort(
    (one, other) => distance(one.at, direction.at) - distance(other.at, direction.at),
  )[0]!;
  for (const { at } of [number, direction, nearest]) bag.take(at);
  bag.cues('if');
  const key = keyOf(nearest.subjects);
  if (key === undefined) return undefined;
  const size = Number(number.value);
  return {
    shock: { factor: key, unit: 'percent', value: direction.direction === 'down' ? -size : size },
    isWhole: true,
  };
}

/**
 * Returns the number of words between a factor and a direction such as "falls". At the same number, a factor before the
 * direction counts as nearer than a factor after it.
 */
function distance(at: number, direction: number): number {
  return at < direction ? direction - at : at - direction + 0.5;
}

function keyOf(subjects: readonly { type: string; key: string }[]): string | undefined {
  return subjects.find(({ type }) => type === 'factor')?.key ?? subjects[0]?.key;
}

/** Reads questions about statistics of a sealed scenario run. */
export const scenarioStatistics: Frame = (bag, { catalogue }) => {
  if (!catalogue.measures.has('scenario')) return undefined;
  const statistic = bag.one('statistic', ({ domain }) => domain === 'scenario')?.statistic;
  const isPlausible = statistic === undefined && bag.cues('plausible') > 0;
  const isHappens = statistic === undefined && !isPlausible && bag.cues('happens') > 0;
  if (statistic === undefined && !isPlausible && !isHappens) return undefined;
  const isNamed = bag.nouns('scenario') > 0;
  const regime = bag.one('regime')?.regime;
  const seed = takeSeed(bag);
  if (!isNamed) return undefined;
  bag.nouns('scenario', 'factor_run');
  const level = bag.one(
    'number',
    ({ unit, value }) =>
      unit === 'percent' &&
      (statistic === 'value_at_risk' || statistic === 'expected_shortfall') &&
      isLevel(bag) &&
      Number(value) >= 50,
  );
  const shock = takeShock(bag);
  const run: RunAsked = {
    kind: SCENARIOS,
    ...(regime === undefined ? {} : { regime }),
    ...(seed === undefined ? {} : { seed }),
  };
  const asked = shock ? { ...run, shock: shock.shock } : run;
  bag.cues(...COMMON, 'book', 'follow');
  const where: Where[] = [];
  if (regime !== undefined) where.push({ field: 'regime', op: 'eq', value: regime });
  if (isPlausible) {
    bag.cues('shock', 'plausible');
    takeMentions(bag, ['factor', 'instrument']);
    bag.all('direction');
    return draftOf('value', { measures: ['scenario.plausibility'] }, { run: asked });
  }
  const factors = takeMentions(bag, ['factor', 'instrument']);
  if (isHappens) {
    if (factors.length !== 1) return undefined;
    const isIn = factors[0]!.some(({ type }) => type === 'factor');
    return isIn
      ? askBack('ambiguous_metric', ['scenario.mean', 'scenario.median'])
      : draftOf('value', { measures: ['scenario.mean'], mentions: factors }, { run: asked });
  }
  const isRisk = statistic === 'value_at_risk' || statistic === 'expected_shortfall';
  if (isRisk) {
    if (!level)
      return askBack('ambiguous_metric', [`${statistic} at 95 percent`, `${statistic} at 99 percent`]);
    where.push({ field: 'level', op: 'eq', value: Number(level.value) / 100 });
    return factors.length === 0
      ? draftOf('value', { measures: [`scenario.${statistic}`] }, { where, run: asked })
      : undefined;
  }
  if (factors.length !== 1) return undefined;
  return draftOf(
    'value',
    {
      measures: [`scenario.${statistic}`],
      mentions: factors.map((list) =>
        list.filter(({ type }, _, all) => type === 'factor' || !all.some((each) => each.type === 'factor')),
      ),
    },
    { run: asked },
  );
};

/**
 * Whether a question has a percentage that can be the level of a risk figure: at least 50 and below 100.
 */
function isLevel(bag: Bag): boolean {
  return (
    bag.see('number', ({ unit, value }) => unit === 'percent' && Number(value) >= 50 && Number(value) < 100)
      .length > 0
  );
}

function takeSeed(bag: Bag): string | undefined {
  // "What is the seed" asks for the seed, so the word stays free without a number.
  if (bag.see('cue', ({ cue }) => cue === 'seed').length === 0 || bag.see('number').length === 0)
    return undefined;
  bag.cues('seed');
  return bag.one('number', ({ unit }) => unit === undefined)?.value;
}

/**
 * Reads questions such as "Show me the stressed scenario run with seed 42". Such a question chooses the run for the
 * questions that follow.
 */
export const scenarioRuns: Frame = (bag, { catalogue }) => {
  if (!catalogue.measures.has('scenario') || bag.nouns('scenario') === 0) return undefined;
  const regime = bag.one('regime')?.regime;
  const seed = takeSeed(bag);
  const isSeal = bag.cues('seal') > 0;
  if (bag.cues('show_list', 'which') === 0 && !isSeal && regime === undefined) return undefined;
  bag.nouns('scenario', 'factor_run');
  const run: RunAsked = {
    kind: SCENARIOS,
    ...(regime === undefined ? {} : { regime }),
    ...(seed === undefined ? {} : { seed }),
  };
  return draftOf('explain', { measures: ['run'] }, { run, what: 'seal' });
};

/**
 * Reads questions such as "What happens to A if B falls 20 % in the calm regime": the conditional mean of the bound
 * model.
 */
export const conditionals: Frame = (bag, { catalogue }) => {
  if (bag.cues('happens') === 0 || bag.nouns('scenario') > 0) return undefined;
  if (bag.cues('oil') > 0 || bag.cues('collapse') > 0) {
    bag.cues('book', 'if', 'collapse', 'happens', 'which', 'show_list', 'market');
    takeMentions(bag, ['factor', 'instrument']);
    bag.all('direction');
    return askBack('missing_shock', [
      'factor XOM with a shock in percent',
      'factor CVX with a shock in percent',
    ]);
  }
  if (!catalogue.measures.has('regime')) return undefined;
  const shock = takeShock(bag);
  const regime = bag.one('regime')?.regime;
  bag.nouns('regime');
  const factors = takeMentions(bag, ['factor', 'instrument']);
  bag.cues('if', 'which', 'show_list', 'happens', 'how', 'how_much', 'shock');
  bag.all('direction', ({ direction }) => shock !== undefined && direction === 'any');
  if (factors.length !== 1 && (shock || factors.length !== 2)) return undefined;
  if (!shock) {
    bag.all('direction');
    return askBack('missing_shock', ['a factor of the model with a shock in percent']);
  }
  const where: Where[] = [{ field: 'shock', op: 'eq', value: shock.shock }];
  if (regime === undefined)
    return askBack('ambiguous_metric', ['in the calm regime', 'in the stressed regime']);
  where.push({ field: 'regime', op: 'eq', value: regime });
  const mentions = factors.map((list) =>
    list.filter(({ type }, _, all) => type === 'factor' || !all.some((each) => each.type === 'factor')),
  );
  return draftOf('value', { measures: ['regime.conditional_mean'], mentions }, { where });
};

/**
 * Reads questions such as "Which regime are we in now", "which regime was most likely in the last month that the model
 * knows".
 */
export const regimes: Frame = (bag, { catalogue }) => {
  if (!catalogue.measures.has('regime') || bag.nouns('regime') === 0) return undefined;
  bag.cues('likely', 'which', 'show_list', 'how', 'model_knows', 'all', 'pronoun');
  bag.nouns('market');
  const hasModel = bag.has('model_knows');
  const when = takeWhen(bag);
  if (hasModel) {
    bag.nouns('month');
    return draftOf('value', { measures: ['regime.probability'], when: { kind: 'latest' } });
  }
  if (when === undefined && !bag.has('likely'))
    return draftOf('value', { measures: ['regime.probability'], when: { kind: 'now' } });
  bag.nouns('month');
  return draftOf('value', { measures: ['regime.probability'], when: when ?? { kind: 'latest' } });
};
