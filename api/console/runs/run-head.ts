import { duration, instant, pill } from '../format.ts';
import { html, type Html, type Part } from '../html.ts';
import type { RunResource } from './resource.ts';

/** Returns the head of a page of a run: its name, state and times, and what a person can do with it. */
export function runHead(run: RunResource, title: Part, notes: readonly Part[] = [], charts = false): Html {
  const isSealed = run.seal !== undefined;
  return html`<header class="head">
    <div>
      <h1>${title}</h1>
      <p class="meta">
        ${isSealed ? pill('sealed') : pill(run.state)}${notes.map((note) => html`<span>${note}</span>`)}<span
          >submitted ${instant(run.created_at)} UTC</span
        ><span>took ${duration(run.started_at, run.finished_at)}</span
        ><span>${run.model.key} ${run.model.version}</span>
      </p>
    </div>
    <div class="acts">
      <button type="button" data-copy="${run.uid}">Copy uid</button>
      <a class="button" href="/console/compare?a=${run.uid}">Compare</a>
      ${isSealed && html`<a class="button" href="/console/trace/${run.uid}">Lineage</a>`}
      <a class="button" href="/console/runs/${run.uid}/json" download="${run.uid}.json">JSON</a>
      ${
        charts &&
        html`<button type="button" data-export="svg">SVG</button
          ><button type="button" data-export="png">PNG</button>`
      }
    </div>
  </header>`;
}

/**
 * Returns the card of a run that has no result: its progress, or the problem that ended it. Without scripts, the browser
 * loads the page again after `refreshS` seconds.
 */
export function openRun(run: RunResource, refreshS: number): Html {
  if (run.problem) {
    return html`<section class="state" aria-labelledby="h-problem">
      <h2 id="h-problem">${run.problem.title}</h2>
      <p>${run.problem.detail}</p>
      <p class="dim">
        Code <code>${run.problem.code}</code>, request <code>${run.request_id}</code>, attempts
        ${run.attempts}
      </p>
    </section>`;
  }
  const share = Math.round(run.progress * 100);
  return html`<section
    class="state"
    aria-labelledby="h-open"
    ${isOpen(run) && html`data-live="${run.uid}" data-whole="/console/runs/${run.uid}"`}
  >
    <h2 id="h-open">${run.state === 'cancelled' ? 'The run was cancelled' : 'The run has not ended'}</h2>
    <p>
      <progress max="100" value="${share}" aria-label="Progress">${share} %</progress>
      <span data-percent>${share} %</span>
    </p>
    <p class="dim">
      Attempts ${run.attempts}.
      ${isOpen(run) && `The progress on this page is live. Without scripts, the page loads again every ${refreshS} seconds.`}
    </p>
  </section>`;
}

/** Whether a run can still change. */
export function isOpen({ state }: RunResource): boolean {
  return state === 'queued' || state === 'running';
}
