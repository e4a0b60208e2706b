import type { Problem } from '#lib/core/problem.ts';
import { html, type Html } from './html.ts';
import type { PageContent } from './page.ts';

/** Returns the page for a read that the API would refuse, with the reason and the next step. */
export function problemPage(problem: Problem, requestId: string): PageContent {
  const { heading, advice } = adviceFor(problem);
  return {
    title: heading,
    crumbs: [],
    body: html`<section class="state" aria-labelledby="state-h">
      <h1 id="state-h">${heading}</h1>
      <p>${problem.detail}</p>
      ${advice && html`<p class="dim">${advice}</p>`}
      <p class="dim">Request <code>${requestId}</code>, code <code>${problem.code}</code></p>
      ${nextStep(problem)}
    </section>`,
  };
}

function nextStep({ code, members }: Problem): Html {
  const address = code === 'workspace_moved' && members?.['address'];
  return typeof address === 'string'
    ? html`<p><a class="button" href="${address}/console">Go to ${address}</a></p>`
    : html`<p><a class="button" href="/console">Go to the overview</a></p>`;
}

function adviceFor({ code, status }: Problem): { heading: string; advice?: string } {
  if (status === 404)
    return { heading: 'Not found', advice: 'Nothing with this id exists in this workspace and environment.' };
  if (code === 'entitlement_missing')
    return {
      heading: 'Not included',
      advice: 'The workspace is not entitled to this product. An operator can change its entitlements.',
    };
  if (code === 'role_not_sufficient')
    return {
      heading: 'Not allowed for your roles',
      advice: 'An operator can change your roles with the command assay person set-roles.',
    };
  if (code === 'rate_limit_exceeded')
    return { heading: 'Too many requests', advice: 'Wait, then load the page again.' };
  if (code === 'form_not_accepted')
    return {
      heading: 'The form was not accepted',
      advice: 'Open the page again in the console, and send the form from there.',
    };
  if (code === 'workspace_moved')
    return { heading: 'Moved to another address', advice: 'Sign in again at the new address.' };
  if (status === 503)
    return { heading: 'Not available now', advice: 'Load the page again in a few seconds.' };
  if (status >= 500)
    return { heading: 'Something went wrong', advice: 'Quote the request when you report it.' };
  return { heading: 'The request is not valid' };
}

/** Returns the content of a list or card that has no rows yet, with the command that creates the first one. */
export function empty(text: string, command?: string): Html {
  return html`<div class="empty">
    <p>${text}</p>
    ${command !== undefined && html`<pre tabindex="0"><code>${command}</code></pre>`}
  </div>`;
}
