import { Problem } from '#lib/core/problem.ts';
import { cancelRun } from '#lib/pipeline/cancel-run.command.ts';
import { decisionForm, decisionNotice } from '../decision-form.ts';
import { definePage, type PageCall, type PageContent } from '../page.ts';
import { html } from '../html.ts';
import { recordView } from '../record-view.ts';
import { card, fact } from '../shell.ts';
import { number, percent } from '../charts/scale.ts';
import { words } from '../format.ts';
import { anomalyBody } from './anomaly.ts';
import { backtestBody } from './backtest.ts';
import { driftBody } from './drift.ts';
import { factorsBody } from './factors.ts';
import { forecastBody } from './forecast.ts';
import { liveRoundsCard } from './live-rounds.ts';
import { kindOfUid, type RunKindView } from './kinds.ts';
import { scenarioBody } from './scenario.ts';
import { simulationBody } from './simulation.ts';
import { tournamentBody } from './tournament.ts';
import { partsCard } from './parts.ts';
import { isOpen, openRun, runHead } from './run-head.ts';
import { sealCard } from './seal.ts';
import type { RunResource } from './resource.ts';

/** The page bodies for those kinds of sealed runs that have their own charts, by the prefix of the uids of the runs. */
const bodies: Readonly<Record<string, (run: never, source: string) => Pick<PageContent, 'title' | 'body'>>> =
  {
    fct: forecastBody,
    tfr: factorsBody,
    bkt: backtestBody,
    sml: simulationBody,
    tmt: tournamentBody,
    scn: scenarioBody,
    dft: driftBody,
    ano: anomalyBody,
  };

/** Attachments that the bodies show. */
const included: Readonly<Record<string, string>> = { fct: 'history', ano: 'scores' };

/** The seconds after which a browser without scripts loads an open run again; longer if its form takes a code. */
const REFRESH_S = 5;
const REFRESH_WITH_CODE_S = 30;

/** A run of any kind, in any state. */
export const runPage = definePage({
  path: '/console/runs/:uid',
  area: 'Runs',
  document: async (call) => (await readRun(call)).run,
  decisions: [
    {
      name: 'cancel',
      duty: 'stop_runs',
      async act(call) {
        const uid = call.params['uid']!;
        const outcome = await call.decide(cancelRun, () => ({ uid }));
        if (!outcome.ok) return { code: outcome.code, detail: outcome.detail };
        await call.dispatch(outcome.result.admitted);
        return { location: `/console/runs/${uid}?done=cancelled` };
      },
    },
  ],
  async render(call) {
    const uid = call.params['uid']!;
    // Evidence packs are runs, but have a page of their own.
    if (uid.startsWith('epk_')) return { location: `/console/packs/${uid}` };
    const { kind, run } = await readRun(call);
    const notice = decisionNotice(call, { cancelled: 'The run was cancelled.' });
    const crumbs = [
      ['Runs', '/console/runs'],
      [kind.name, `/console/runs?kind=${kind.key}`],
      [run.uid],
    ] as const;
    const source = `/console/runs/${run.uid}/json`;
    if (run.seal === undefined) {
      const cancel =
        isOpen(run) &&
        (await decisionForm(call, {
          path: `/console/runs/${run.uid}`,
          buttons: [{ name: 'cancel', label: 'Cancel the run', tone: 'danger' }],
        }));
      const isTyped = cancel && (await call.proofs()).code;
      const afterS = isTyped ? REFRESH_WITH_CODE_S : REFRESH_S;
      const refresh = { place: `/console/runs/${run.uid}`, afterS };
      const parts = isOpen(run) && (await partsCard(call, run));
      const body = html`${notice}${runHead(run, kind.name)}${openRun(run, afterS)}${cancel && html`<div class="after">${cancel}</div>`}
        <div class="stack">${parts}${card({ title: 'Input' }, recordView(run.input))}</div>`;
      return { title: kind.name, crumbs, body, ...(isOpen(run) ? { refresh } : {}) };
    }
    const own = bodies[kind.prefix];
    if (own) {
      const { title, body } = own(run as never, source);
      const rounds = kind.prefix === 'tmt' && (await liveRoundsCard(call, run));
      return { title, body: html`${body}${rounds && html`<div class="after">${rounds}</div>`}`, crumbs };
    }
    const headline = headlineOf(kind, run);
    const body = html`${runHead(run, kind.name)}
      ${headline.length > 0 && html`<dl class="facts">${headline.map(([name, value]) => fact(name, value))}</dl>`}
      <div class="grid-2">
        ${card({ title: 'Result', className: 'wide' }, recordView(run.result))}
        <div class="stack">
          ${sealCard(run.seal, source)}${card({ title: 'Input' }, recordView(run.input))}
        </div>
      </div>`;
    return { title: kind.name, crumbs, body };
  },
});

/** Reads a run by its uid. Throws the problem `not_found` if the uid is not that of a run. */
export async function readRun(call: PageCall): Promise<{ kind: RunKindView; run: RunResource }> {
  const uid = call.params['uid'] ?? '';
  const kind = kindOfUid(uid);
  if (!kind) throw new Problem('not_found', 'There is no such run.');
  const include = included[kind.prefix];
  const run = await call.read<RunResource>(kind.path, { uid, ...(include && { include }) });
  return { kind, run };
}

/** Returns the figures that lists show for a run, as text. */
function headlineOf({ headline }: RunKindView, run: RunResource): [name: string, value: string][] {
  return headline.flatMap(({ name, unit, pointer }): [string, string][] => {
    const value = pointer
      .slice(1)
      .split('/')
      .reduce<unknown>((part, member) => (part as Record<string, unknown> | null)?.[member], run);
    if (value === null || value === undefined) return [];
    if (typeof value !== 'number') return [[words(name), words(String(value))]];
    if (unit === 'fraction' || unit === 'probability') return [[words(name), percent(value, 2)]];
    return [
      [
        `${words(name)}${unit === 'minor' ? ', minor units' : ''}`,
        number(value, Number.isInteger(value) ? 0 : 2),
      ],
    ];
  });
}
