import { defineProduct } from '#lib/core/product.ts';

/** Strategies, backtests, simulations, searches and tournaments of models. */
export const quant = defineProduct({
  folder: 'quant',
  serves: {
    Quant: {
      paths: [
        '/quant/compute/backtests',
        '/quant/compute/simulations',
        '/quant/compute/optimizations',
        '/quant/compute/frontiers',
        '/quant/compute/strategies',
        '/quant/models',
        '/quant/model-runs',
        '/quant/model-tournaments',
        '/quant/tournament-rounds',
      ],
    },
  },
  // A simulation can draw from an approved model or a portfolio, and can use the inflation of an index. Statistical
  // models and entries of tournaments are forecasting methods.
  uses: ['models', 'investment', 'forecasting'],
  prefixes: {
    backtest: 'bkt',
    simulation: 'sml',
    optimization: 'opt',
    frontier: 'frn',
    modelRun: 'mrn',
    modelTournament: 'tmt',
    tournamentRound: 'tmr',
  },
  problems: {
    universe_empty: { status: 422, title: 'No symbol of the universe can be traded' },
    look_ahead: { status: 422, title: 'The strategy would use data that became known after its decision' },
    space_empty: { status: 422, title: 'The search has too few points' },
    too_many_trials: { status: 422, title: 'The search has too many points' },
    folds_insufficient: { status: 422, title: 'There are too few sessions for the folds' },
    origins_insufficient: { status: 422, title: 'The tournament has too few origins' },
    prediction_late: { status: 422, title: 'A prediction became known after its origin' },
    trained_on_outcome: { status: 422, title: 'The model was trained on rows that it would predict' },
    entries_not_comparable: { status: 422, title: 'The losses of the tournament cannot be compared' },
    backtest_ineligible: { status: 409, title: 'The backtest has no returns that can be used' },
    backtest_too_large: { status: 422, title: 'The backtest exceeds a limit' },
  },
  tables: {
    strategy_trial: { rows: 'environment', operator: 'select', api: 'select', worker: 'select, insert' },
    tournament_round: {
      rows: 'environment',
      operator: 'select',
      api: 'select',
      worker: 'select, insert, update',
    },
  },
  events: {
    'quant:models:read': {
      'tournament_round.opened': { about: 'A live round of a tournament opened.', members: ['round'] },
      'tournament_round.closed': {
        about: 'A live round of a tournament closed, and its forecasts are being sealed.',
        members: ['round', 'run_uid'],
      },
      'tournament_round.resolved': {
        about: 'The values of a live round are known, and its losses are recorded.',
        members: ['round', 'run_uid'],
      },
      'tournament_round.voided': {
        about: 'A live round of a tournament became void, because no forecast errors could be compared.',
        members: ['round', 'reason'],
      },
      'tournament.resolved': {
        about: 'The last live round of a tournament ended.',
        members: ['state', 'verdict', 'winner'],
      },
    },
  },
});
