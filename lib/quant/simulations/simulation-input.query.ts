import { utcDate } from '#lib/core/clock.ts';
import { invalid, type Fault } from '#lib/core/problem.ts';
import { drawSeed } from '#lib/core/seed.ts';
import type { Em } from '#lib/database/base.ts';
import { pinPortfolio } from '#lib/investment/portfolios/pinned-portfolio.query.ts';
import { futureFault, simulationFaults } from './simulation-faults.ts';
import { BAND_DEFAULT, INFLATION_YEARS, INITIAL_DEFAULT_MINOR, PATHS } from './simulation-limits.ts';
import { sourceInput } from './source-input.query.ts';
import type { SimulationInput, SimulationRequest } from './simulations.schema.ts';

/**
 * Returns the input of a simulation: the request with every default filled in. Throws a problem with the faults of the
 * request.
 */
export async function simulationInput(
  em: Em,
  request: SimulationRequest,
  now: Date,
): Promise<SimulationInput> {
  const { weights, glide, rebalance = 'monthly', horizon, withdrawal, seed = drawSeed() } = request;
  const { source, assets, faults } = await sourceInput(em, request, now);
  const equal = assets.map(() => 1 / assets.length);
  const asOf = request.as_of ?? ('to' in source ? source.to : utcDate(now));
  const inflation = request.inflation ?? 0;
  const isIndexed = typeof inflation !== 'number';
  const named = request.portfolio;
  const isPortfolio = named !== undefined || (source.kind === 'history' && source.portfolio !== undefined);
  const input: SimulationInput = {
    source,
    assets,
    initial_minor: request.initial_minor ?? (isPortfolio ? null : INITIAL_DEFAULT_MINOR),
    glide: glide ?? (named === undefined ? [{ month: 1, weights: weights ?? equal }] : []),
    ...(named !== undefined && { portfolio: (await pinPortfolio(em, named, asOf)).pinned }),
    ...((named !== undefined || isIndexed) && { as_of: asOf }),
    rebalance,
    band: rebalance === 'band' ? (request.band ?? BAND_DEFAULT) : null,
    horizon,
    paths: request.paths ?? PATHS.default,
    flows: (request.flows ?? []).map(({ from, to, amount_minor, indexed = false }) => ({
      from,
      to,
      amount_minor,
      indexed,
    })),
    inflation: isIndexed ? { ...inflation, years: inflation.years ?? INFLATION_YEARS.default } : inflation,
    fees_bps: request.fees_bps ?? 0,
    goals: (request.goals ?? []).map(({ name, at, amount_minor, real = false }) => ({
      name,
      at,
      amount_minor,
      real,
    })),
    withdrawal: withdrawal
      ? {
          solve: withdrawal.solve,
          from: withdrawal.from ?? 1,
          to: withdrawal.to ?? horizon,
          indexed: withdrawal.indexed ?? true,
        }
      : null,
    antithetic: request.antithetic ?? false,
    seed,
  };
  const future = futureFault('/as_of', asOf, now);
  const all = [
    ...choiceFaults(request),
    ...(future && request.as_of !== undefined ? [future] : []),
    ...faults,
    ...simulationFaults(input, glide ? 'glide' : 'weights'),
  ];
  if (all.length) throw invalid(all);
  return input;
}

/** Returns a fault if a request states the weights in more than one member. */
function choiceFaults({ weights, glide, portfolio }: SimulationRequest): Fault[] {
  const given = Object.entries({ weights, glide, portfolio }).filter(([, each]) => each !== undefined);
  return given.slice(1).map(([name]) => ({
    pointer: `/${name}`,
    in: 'body',
    code: 'weights_given',
    message: `must be left out if \`${given[0]![0]}\` is given`,
  }));
}
