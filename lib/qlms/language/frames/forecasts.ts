import type { Bag } from '../bag.ts';
import { askBack, refuse } from '../codes.ts';
import type { Where } from '../query.ts';
import {
  draftOf,
  takeAsOf,
  takeCurrency,
  takeMeasure,
  takeMentions,
  takeWhen,
  type Frame,
} from './common.ts';

const COMMON = ['which', 'show_list', 'how', 'entity_word', 'hold', 'how_much', 'use', 'all'];

/** Reads questions about sealed forecasts: points, intervals, horizon and backtest. */
export const forecasts: Frame = (bag, context) => {
  const isForecast =
    bag.cues('forecast') > 0 ||
    bag.see('cue', ({ cue }, { key }) => cue === 'interval' && /prediction|forecast/.test(key)).length > 0 ||
    // Only a forecast has an interval of a level: "the 95 percent interval for real GDP".
    (bag.see('cue', ({ cue }, { key }) => cue === 'interval' && /interval|band/.test(key)).length > 0 &&
      bag.see('number', ({ unit }) => unit === 'percent').length > 0);
  const isFuture = bag.cues('will') > 0 || bag.see('when', ({ when }) => when.kind === 'future').length > 0;
  if (!isForecast && !isFuture) return undefined;
  const found = takeMeasure(
    bag,
    context,
    ({ domain }) =>
      domain === 'economics' || domain === 'companies' || domain === 'ledger' || domain === 'market',
  );
  if (!found) return isFuture && bag.nouns('market') > 0 ? noForecast(bag) : undefined;
  const metric = found.keys[0]!;
  const mentions = takeMentions(bag, found.measure.subject === 'none' ? [] : [found.measure.subject]);
  const where: Where[] = [{ field: 'metric', op: 'eq', value: metric.replace(/^metric\./, '') }];
  bag.cues('forecast', 'will', ...COMMON, 'how_many', 'trend', 'where');
  if (!isForecast || metric.startsWith('price.') || metric === 'return') bag.all('direction');
  if (!isForecast) {
    takeWhen(bag);
    return draftOf(
      'value',
      { measures: ['forecast.point'], mentions, when: { kind: 'future', stretch: undefined } },
      { where },
    );
  }
  const what = explained(bag);
  if (what !== undefined) return draftOf('explain', { measures: ['forecast'], mentions }, { where, what });
  const isInterval = bag.cues('interval') > 0;
  const level = isInterval ? bag.one('number', ({ unit }) => unit === 'percent') : undefined;
  if (isInterval && level) where.push({ field: 'level', op: 'eq', value: Number(level.value) });
  const when = takeWhen(bag);
  const currency = takeCurrency(bag);
  const slots = {
    measures: [isInterval ? 'forecast.interval' : 'forecast.point'],
    mentions,
    when,
    currency,
    asOf: takeAsOf(bag),
  };
  if (isInterval && !level)
    return askBack('ambiguous_metric', ['the 80 percent interval', 'the 95 percent interval']);
  return draftOf('value', slots, { where });
};

function explained(bag: Bag): string | undefined {
  const cues = bag.see('cue', ({ cue }) => cue === 'backtest' || cue === 'horizon_end');
  const isBacktest = cues.some(({ cue }) => cue === 'backtest');
  const isEnd = !isBacktest && cues.some(({ lexeme }) => !/^(go|reach|extend|extends)$/.test(lexeme.key));
  if (!isBacktest && !isEnd) return undefined;
  bag.cues('backtest', 'horizon_end', 'error');
  bag.all('when', ({ when }) => when.kind === 'latest');
  return isBacktest ? 'backtest' : 'horizon_end';
}

function noForecast(bag: Bag): ReturnType<typeof refuse> {
  bag.cues('will', 'collapse', 'error', 'which', 'how');
  bag.all('direction');
  bag.all('when');
  return refuse('no_sealed_forecast');
}
