import type { Bag } from '../bag.ts';
import { askBack } from '../codes.ts';
import {
  draftOf,
  takeAsOf,
  takeLimit,
  takeMeasure,
  takeMentions,
  takeWhen,
  type Frame,
  type FrameContext,
} from './common.ts';
import type { QueryDraft } from '../draft.ts';
import type { Where } from '../query.ts';

const isOfInstrument = ({ subject }: { subject: string }): boolean => subject === 'instrument';

/** Takes the sectors of a question as conditions. */
function takeSectors(bag: Bag): Where[] {
  const sectors = bag.all('sector').map(({ value }) => ({ field: 'sector', op: 'eq', value }));
  if (sectors.length > 0) bag.cues('in_sector');
  return sectors;
}

/**
 * Reads questions such as "Which 5 stocks had the highest close", "the five best performing technology stocks in 2019",
 * "which stock fell most".
 */
export const rankInstruments: Frame = (bag, context) => {
  if (!context.catalogue.measures.has('price.close') || bag.see('entity').length > 0) return undefined;
  const where = takeSectors(bag);
  const isNamed = bag.nouns('instrument', 'symbol', 'company') > 0;
  const returns = bag.cues('best_return') > 0;
  if (!isNamed && where.length === 0 && !returns) return undefined;
  const worst = bag.lexemes.some(({ key }) =>
    /^(worst perform|performed worst|did worst|biggest loser|losers?$|returned (the )?least)/.test(key),
  );
  const directions = bag.all('direction', ({ direction }) => direction !== 'any');
  const superlatives = bag.all('superlative');
  bag.cues('rank', 'which', 'show_list', 'best_vague', 'all', 'entity_word');
  const found = takeMeasure(bag, context, (measure) => isOfInstrument(measure) && measure.kind !== 'text');
  const nth = bag.one('nth')?.nth;
  const number = takeLimit(bag);
  const asOf = takeAsOf(bag);
  const when = takeWhen(bag);
  bag.all(
    'unit',
    ({ unit }) => unit === 'percent' && (returns || found?.keys[0] === 'return' || directions.length > 0),
  );
  const isReturn = returns || directions.length > 0 || found?.keys[0] === 'return';
  const order = orderOf({ worst, directions, superlatives });
  if (!found && !isReturn) return isVague(bag, superlatives.length) ? vague() : undefined;
  if (order === undefined) return undefined;
  const limit = number ?? nth ?? limitOf(bag);
  const ranking = {
    order,
    limit: Math.max(nth ?? 1, limit),
    ...(nth === undefined ? {} : { nth }),
    ...(where.length > 0 ? { where } : {}),
  };
  const measures = isReturn ? ['return'] : found!.keys;
  if (isReturn && found && found.keys[0] !== 'return' && !found.measure.key.startsWith('price.'))
    return undefined;
  return draftOf('rank', { measures, when, asOf }, ranking);
};

type Cues = {
  worst: boolean;
  directions: readonly { direction: string }[];
  superlatives: readonly { order: 'desc' | 'asc'; lexeme: { key: string } }[];
};

/** Returns the order of a ranking. "Fell most" and "lost the most" rank the smallest value first. */
function orderOf({ worst, directions, superlatives }: Cues): 'desc' | 'asc' | undefined {
  if (worst) return 'asc';
  const isDown = directions.some(({ direction }) => direction === 'down');
  if (isDown) return superlatives.some(({ order }) => order === 'asc') ? undefined : 'asc';
  // "Top" in "top three" only gives the number of results: "the top three with the lowest close" ranks by "lowest".
  const strong = superlatives.filter(({ lexeme }) => !/^(top|most|least|leading|bottom)$/.test(lexeme.key));
  const orders = new Set((strong.length > 0 ? strong : superlatives).map(({ order }) => order));
  if (orders.size > 1) return undefined;
  return [...orders][0] ?? (directions.length > 0 ? 'desc' : 'desc');
}

/**
 * Returns the number of results of a ranking. A ranking without a number has 10 results; "which stock" has one result.
 */
function limitOf(bag: Bag): number {
  // "The highest close among utilities" is one figure.
  const isOne =
    bag.lexemes.some(({ key }) => /^(among|amongst|of all|out of)$/.test(key)) && !bag.has('rank');
  const isMany = bag.lexemes.some(({ readings }) => readings.some(({ slot }) => slot === 'noun'));
  if (isOne && !isMany) return 1;
  return bag.lexemes.some(({ key }) =>
    /^(stock|company|instrument|symbol|theme|share|firm|ticker|equity|security|utility|financial|industrial|material|loser|gainer|performer|best performer|worst performer|biggest loser|biggest gainer|sector)$/.test(
      key,
    ),
  )
    ? 1
    : 10;
}

function isVague(bag: Bag, superlatives: number): boolean {
  return (superlatives > 0 || bag.has('best_vague')) && bag.left().length === 0;
}

function vague(): ReturnType<typeof askBack> {
  return askBack('ambiguous_metric', ['price.close', 'return of price.adj_close']);
}

/** Reads questions such as "The average close of health care stocks at the end of 2015". */
export const aggregateInstruments: Frame = (bag, context) => {
  const agg = bag.one('agg') ?? bag.one('superlative');
  if (!agg || bag.see('entity').length > 0) return undefined;
  const where = takeSectors(bag);
  const isNamed = bag.nouns('instrument', 'symbol', 'company') > 0;
  if (where.length === 0 && !isNamed) return undefined;
  const found = takeMeasure(bag, context, (measure) => isOfInstrument(measure) && measure.kind !== 'flow');
  if (!found || found.keys[0] === 'return') return undefined;
  bag.nouns('month');
  bag.cues('all', 'which', 'show_list', 'in_sector');
  const asOf = takeAsOf(bag);
  const chosen = agg.slot === 'agg' ? agg.agg : agg.order === 'desc' ? 'max' : 'min';
  const more: Partial<QueryDraft> = { agg: chosen, by: 'entity', ...(where.length > 0 ? { where } : {}) };
  return draftOf('aggregate', { measures: found.keys, when: takeWhen(bag), asOf }, more);
};

/**
 * Reads questions such as "How many instruments do we hold data for", "how many companies are in the energy sector",
 * "stocks in each sector".
 */
export const countInstruments: Frame = (bag, context) => {
  if (!isAllowed(context)) return undefined;
  const isCount = bag.cue('how_many');
  const where = takeSectors(bag);
  const isBy = bag.cues('by_sector') > 0;
  // "How is our universe split by sector": the records themselves, by their sector.
  const isSplit = isBy && !isCount && bag.lexemes.some(({ key }) => /universe|coverage/.test(key));
  if (!isCount && !isSplit) return undefined;
  if (isSplit) bag.cues('how', 'show_list', 'which', 'coverage');
  else if (!bag.noun('instrument', 'symbol') && where.length === 0) return undefined;
  bag.nouns('instrument', 'company');
  bag.cues('hold', 'all', 'belong', 'in_sector', 'any', 'show_list');
  if (bag.see('when').some(({ when }) => when.kind === 'whole'))
    bag.all('when', ({ when }) => when.kind === 'whole');
  return draftOf(
    'count',
    { measures: ['instrument'], asOf: takeAsOf(bag) },
    { ...(where.length > 0 ? { where } : {}), ...(isBy ? { by: 'sector' as const } : {}) },
  );
};

/** Reads questions such as "List the energy stocks", "which companies are in the utilities sector". */
export const listInstruments: Frame = (bag, context) => {
  const where = takeSectors(bag);
  if (!isAllowed(context) || where.length === 0 || !bag.noun('instrument', 'symbol') || !bag.cue('show_list'))
    return undefined;
  bag.cues('show_list', 'all', 'belong', 'in_sector', 'hold', 'which');
  return draftOf('list', { measures: ['instrument'], asOf: takeAsOf(bag) }, { where });
};

function isAllowed({ catalogue }: FrameContext): boolean {
  return catalogue.measures.has('instrument');
}

/** Reads questions such as "Which sector is A in", "what is the sub-industry of A". */
export const attributes: Frame = (bag, context) => {
  if (!isAllowed(context)) return undefined;
  const isSub = bag.cues('sub_industry') > 0;
  if (!isSub && bag.nouns('sector') === 0 && bag.cues('in_sector') === 0) return undefined;
  bag.nouns('sector');
  const mentions = takeMentions(bag, ['instrument']);
  if (mentions.length !== 1) return undefined;
  bag.cues('which', 'show_list', 'belong', 'in_sector', 'entity_word', 'pronoun', 'hold');
  return draftOf('value', {
    measures: [isSub ? 'instrument.sub_industry' : 'instrument.sector'],
    mentions,
    asOf: takeAsOf(bag),
  });
};

/** Reads questions about the exposures of themes and instruments: values, rankings, counts and lists. */
export const exposures: Frame = (bag, context) => {
  if (!context.catalogue.measures.has('taxonomy.exposure')) return undefined;
  const themes = takeMentions(bag, ['theme']);
  const instruments = takeMentions(bag, ['instrument']);
  if (themes.length > 1 || instruments.length > 1) return undefined;
  const isExposed =
    bag.cues('exposure') > 0 ||
    bag.all('measure', ({ keys }) => keys.includes('taxonomy.exposure')).length > 0;
  const isCount = bag.cue('how_many');
  const superlatives = bag.all('superlative');
  const nouns = { theme: bag.nouns('theme') > 0, symbol: bag.nouns('symbol', 'instrument') > 0 };
  const belongs = bag.cues('belong') > 0;
  const nth = bag.one('nth')?.nth;
  const limit = takeLimit(bag);
  const version = bag.one('version')?.version;
  const isTaxonomy = (version !== undefined || nouns.theme) && bag.nouns('taxonomy') > 0;
  if (isTaxonomy) bag.all('when', ({ when }) => when.kind === 'now' || when.kind === 'latest');
  const asked = bag.cues(
    'show_list',
    'which',
    'how',
    'how_much',
    'all',
    'entity_word',
    'rank',
    'hold',
    'any',
    'exposure',
  );
  const asOf = takeAsOf(bag);
  const mentions = [...instruments, ...themes];
  const where =
    version === undefined ? {} : { where: [{ field: 'taxonomy_version', op: 'eq', value: version }] };
  const shared = { mentions, asOf };
  if (isCount) {
    if (nouns.theme && themes.length === 0)
      return draftOf('count', { ...shared, measures: ['taxonomy.theme'] }, where);
    if (nouns.symbol && themes.length === 1 && instruments.length === 0)
      return draftOf('count', { ...shared, measures: ['taxonomy.symbol'] }, where);
    return undefined;
  }
  if (superlatives.length > 0 || (limit !== undefined && isExposed)) {
    if (!isExposed || mentions.length !== 1) return undefined;
    const isAsc = superlatives.some(({ order }) => order === 'asc');
    const one = themes.length === 1 ? !nouns.symbol || isSingular(bag, 'symbol') : isSingular(bag, 'theme');
    const most = limit ?? (one ? 1 : 10);
    const more = {
      order: isAsc ? ('asc' as const) : ('desc' as const),
      limit: Math.max(nth ?? 1, most),
      ...(nth === undefined ? {} : { nth }),
      ...where,
    };
    return draftOf('rank', { ...shared, measures: ['taxonomy.exposure'] }, more);
  }
  if (isExposed && themes.length === 1 && instruments.length === 1)
    return draftOf('value', { ...shared, measures: ['taxonomy.exposure'] }, where);
  if (nouns.theme && themes.length === 0 && (asked > 0 || belongs)) {
    if (instruments.length === 0 && belongs && !isTaxonomy) return undefined;
    return draftOf('list', { ...shared, measures: ['taxonomy.theme'] }, where);
  }
  if (themes.length === 1 && instruments.length === 0 && nouns.symbol && asked > 0)
    return draftOf('list', { ...shared, measures: ['taxonomy.symbol'] }, where);
  return undefined;
};

function isSingular(bag: Bag, noun: string): boolean {
  const words =
    noun === 'theme'
      ? /^(which |what )?(investment )?theme$/
      : /^(which |what )?(symbol|stock|company|instrument|ticker)$/;
  return bag.lexemes.some(({ key }) => words.test(key));
}
