import type { SealedSimulationsRun } from '#lib/client/client.ts';
import { CHART_WIDTH, chartFigure } from '../chart-figure.ts';
import { lines, type LinesModel } from '../charts/lines.ts';
import { number, percent } from '../charts/scale.ts';
import { html, type Html } from '../html.ts';
import type { PageContent } from '../page.ts';
import { recordView } from '../record-view.ts';
import { card, fact } from '../shell.ts';
import { empty } from '../states.ts';
import { table } from '../table.ts';
import { runHead } from './run-head.ts';
import type { RunResource } from './resource.ts';
import { sealCard } from './seal.ts';

type Run = SealedSimulationsRun & RunResource;
type Goal = Run['result']['goals'][number];

/** Returns the page of a sealed simulation: the wealth over the months, the goals, the ruin, and the seal. */
export function simulationBody(run: Run, source: string): Pick<PageContent, 'title' | 'body'> {
  const { result, input } = run;
  const wealth = wealthModel(run);
  const body = html`${runHead(run, 'Simulation', [`${number(input.paths)} paths`, `${input.months} months`], true)}
    <dl class="facts">${facts(run)}</dl>
    <div class="grid-2">
      ${card(
        { title: 'Wealth', note: 'minor units, quantiles of the paths by month', className: 'wide' },
        chartFigure({
          kind: 'lines',
          model: wealth,
          chart: lines(wealth, { width: CHART_WIDTH, height: 320 }),
          height: 320,
          label: 'Quantiles of the wealth by month.',
        }),
      )}
      <div class="stack">
        ${card({ title: 'Ruin' }, recordView({ probability: result.ruin.probability, interval: result.ruin.interval }))}
        ${sealCard(run.seal, source)}
      </div>
      ${card({ title: 'Goals', className: 'full' }, goalTable(result.goals))}
      ${card({ title: 'Wealth at the end', className: 'wide' }, recordView(result.terminal))}
      ${card({ title: 'Input' }, recordView(input))}
    </div>`;
  return { title: 'Simulation', body };
}

function facts({ result: { terminal, ruin } }: Run): Html[] {
  const median = terminal.quantiles.find(({ p }) => p === 0.5)?.value_minor ?? null;
  const amount = (value: number | null): string => (value === null ? '–' : number(value));
  return [
    fact('Median wealth', amount(median), 'minor units'),
    fact('Mean wealth', amount(terminal.mean_minor), 'minor units'),
    fact('Probability of a loss', percent(terminal.loss.probability)),
    fact('Probability of ruin', percent(ruin.probability)),
  ];
}

/** Returns the quantiles by month as lines. The median is the first named line; the years mark the axis. */
function wealthModel({ result: { probabilities, fan } }: Run): LinesModel {
  const named = probabilities.toSorted((one, other) => Math.abs(one - 0.5) - Math.abs(other - 0.5));
  return {
    scale: 'linear',
    labels: fan.map(({ month }) => `Yr${String(Math.ceil(month / 12)).padStart(2, '0')}, month ${month}`),
    lines: probabilities.map((p, index) => ({
      name: percent(p, 0),
      values: fan.map(({ quantiles_minor }) => quantiles_minor[index] ?? null),
      tone: named.indexOf(p) < 5 ? named.indexOf(p) + 1 : 0,
    })),
  };
}

function goalTable(goals: readonly Goal[]): Html {
  if (goals.length === 0) return empty('The request has no goals.');
  return table(
    'Goals',
    [
      { heading: 'Goal', cell: ({ name }) => name },
      { heading: 'Month', isNumber: true, cell: ({ at }) => at },
      { heading: 'Target, minor units', isNumber: true, cell: (goal) => amountOf(goal.target_minor) },
      { heading: 'Reached', isNumber: true, cell: ({ probability }) => percent(probability) },
      {
        heading: '95 % interval',
        isNumber: true,
        cell: ({ interval }) => interval.map((bound) => percent(bound)).join(' to '),
      },
      {
        heading: 'Mean shortfall, minor units',
        isNumber: true,
        cell: (goal) => amountOf(goal.shortfall_minor),
      },
    ],
    goals,
    'tight',
  );
}

function amountOf(minor: number | null): string {
  return minor === null ? '–' : number(minor);
}
