import Type from 'typebox';
import { Closed } from '#lib/core/schema.ts';
import { Count, Formula, OrNull, StrategySymbol, SYMBOLS_MAX } from './strategy-members.schema.ts';

export const universeKinds = ['list', 'observed', 'sector', 'theme', 'constituents'] as const;

export const Universe = Closed(
  {
    kind: Type.Enum([...universeKinds], {
      description:
        'The kind of universe. `list`: the given symbols. `observed`: every symbol with prices. `sector`: the instruments of a sector. `theme`: the symbols of a theme of the taxonomy. `constituents`: the instruments of a published list. Each session uses the newest version that was published on or before that day.',
      examples: ['list'],
    }),
    symbols: Type.Array(StrategySymbol, {
      maxItems: SYMBOLS_MAX,
      uniqueItems: true,
      default: [],
      description: 'The symbols of a `list`, at most 2,000. Default: none.',
    }),
    name: OrNull(
      Type.String({ minLength: 1, maxLength: 100, examples: ['Energy'] }),
      'Name of the sector or theme. Default: null, for other kinds.',
    ),
    dataset: OrNull(
      Type.String({ pattern: '^dst_[0-9A-HJKMNP-TV-Z]{26}$', examples: ['dst_01K8XQ5W3ZJ6T9R2M4N7P0QABC'] }),
      'Dataset of the taxonomy or of the instruments. Default: null, which means the datasets of the workspace, or those of the platform if the workspace has none.',
    ),
    where: OrNull(
      Formula('A condition.', 'mean(dollar_volume, 21) > 1000000'),
      'Condition over the prices of a symbol: `open`, `high`, `low`, `close`, `adj_close`, `volume`, `dollar_volume`. A symbol without a needed price is left out. Default: null, which means no condition.',
    ),
    most: Count(
      'Largest number of symbols in a session, 1 to 2,000. The symbols with the largest mean dollar volume of 21 sessions are kept. Default: 500.',
      { minimum: 1, maximum: SYMBOLS_MAX, value: 500 },
    ),
  },
  { description: 'The symbols that the strategy may hold. They are chosen at each session.' },
);
