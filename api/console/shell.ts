import { hasDuty, type Duty } from '#lib/access/console/duty.ts';
import type { ConsoleSession } from '#lib/access/console/session.query.ts';
import type { Assets } from './assets.ts';
import { Html, html, type Part } from './html.ts';
import type { Area, Crumb, PageContent, Refresh } from './page.ts';

const groups: readonly (readonly [heading: string, entries: readonly (readonly [Area, string])[]])[] = [
  [
    '',
    [
      ['Overview', '/console'],
      ['Account', '/console/account'],
    ],
  ],
  [
    'Research',
    [
      ['Runs', '/console/runs'],
      ['New run', '/console/new'],
      ['Compare', '/console/compare'],
      ['Portfolios', '/console/portfolios'],
      ['Models', '/console/models'],
      ['Question models', '/console/qlms'],
      ['Data', '/console/data'],
      ['Series', '/console/series'],
      ['Features', '/console/features'],
      ['Projects', '/console/projects'],
      ['Netting sets', '/console/netting-sets'],
      ['Ledger', '/console/snapshots'],
    ],
  ],
  [
    'Decisions',
    [
      ['Approvals', '/console/approvals'],
      ['Delegations', '/console/delegations'],
      ['Authorities', '/console/authorities'],
      ['Approval graphs', '/console/graphs'],
      ['Obligations', '/console/obligations'],
      ['Batches', '/console/batches'],
      ['Custody', '/console/custody'],
      ['Exceptions', '/console/exceptions'],
      ['Policies', '/console/policies'],
    ],
  ],
  [
    'Trust',
    [
      ['Audit log', '/console/audit'],
      ['Evidence packs', '/console/packs'],
      ['Events', '/console/events'],
      ['Lineage', '/console/lineage'],
      ['Data rights', '/console/entitlements'],
      ['Agent calls', '/console/calls'],
      ['Posture', '/console/posture'],
    ],
  ],
  [
    'Operations',
    [
      ['Jobs', '/console/jobs'],
      ['Workflows', '/console/workflows'],
      ['Library', '/console/library'],
      ['Admissions', '/console/admissions'],
      ['Proof of value', '/console/proofs'],
      ['Usage', '/console/usage'],
      ['Benchmarks', '/console/benchmarks'],
      ['Marketplace', '/console/listings'],
    ],
  ],
];

/** The parts that every page shows around its content. */
export type Frame = {
  readonly assets: Assets;
  readonly session: ConsoleSession;
  readonly area: Area | undefined;
  /** The token that a form of this session must contain. */
  readonly formToken: string;
  readonly now: Date;
};

/** Returns a whole page for a signed-in person: the navigation, the path to the page, and its content. */
export function shell({ title, crumbs, body, refresh }: PageContent, frame: Frame): Html {
  const { session, area, now } = frame;
  const initials = session.person.name
    .split(/\s+/)
    .map((word) => word[0] ?? '')
    .slice(0, 2)
    .join('')
    .toUpperCase();
  return documentOf(
    { title, assets: frame.assets, refresh },
    html`<a class="skip" href="#main">Skip to the content</a>
      <header class="top">
        <a class="brand" href="/console">${logo}Assay</a>
        <span class="place"
          ><b>${session.workspace.name}</b
          ><span class="env ${session.environment}">${session.environment}</span></span
        >
        <form class="find" role="search" action="/console/find">
          <label class="vh" for="find">Find by uid</label
          ><input
            id="find"
            name="q"
            type="search"
            placeholder="Find by uid"
            autocomplete="off"
            maxlength="64"
          /><kbd aria-hidden="true">/</kbd><button class="vh" type="submit">Find</button>
        </form>
        <span class="asof"
          >as of <time datetime="${now.toISOString()}">${now.toISOString().slice(0, 10)}</time></span
        >
        <button class="quiet" id="theme" type="button">Dark</button>
        <span class="who"
          ><span class="avatar" aria-hidden="true">${initials}</span
          ><a href="/console/account">${session.person.name}</a></span
        >
        <form method="post" action="/console/sign-out">
          <input type="hidden" name="token" value="${frame.formToken}" /><button class="quiet" type="submit">
            Sign out
          </button>
        </form>
      </header>
      <nav class="side" aria-label="Pages">
        <div class="stick">${groups.map((group) => navigation(group, area, session.person.roles))}</div>
      </nav>
      <main id="main" tabindex="-1">
        ${
          crumbs.length > 1 &&
          html`<nav class="crumbs" aria-label="Path">
            <ol>
              ${crumbs.map(crumb)}
            </ol>
          </nav>`
        }${body}
      </main>
      <p class="vh" id="voice" role="status" aria-live="polite"></p>`,
  );
}

/**
 * Returns a whole page without navigation, for people who have not signed in. If `leadsTo` is given, the browser opens
 * this address at once.
 */
export function bareShell(title: string, body: Html, assets: Assets, leadsTo?: string): Html {
  return documentOf(
    { title, assets, leadsTo },
    html`<main id="main" class="bare" tabindex="-1">
        <p class="brand">${logo}Assay</p>
        ${body}
      </main>
      <p class="vh" id="voice" role="status" aria-live="polite"></p>`,
    'bare',
  );
}

type DocumentFrame = {
  title: string;
  assets: Assets;
  refresh?: Refresh | undefined;
  leadsTo?: string | undefined;
};

function documentOf({ title, assets, refresh, leadsTo }: DocumentFrame, body: Html, className = ''): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        ${refresh && html`<noscript><meta http-equiv="refresh" content="${refresh.afterS}; url=${refresh.place}" /></noscript>`}
        ${leadsTo !== undefined && html`<meta http-equiv="refresh" content="0; url=${leadsTo}" />`}
        <title>${title} · Assay</title>
        <link rel="icon" href="${assets.icon}" type="image/svg+xml" />
        <link rel="stylesheet" href="${assets.style}" />
        <script type="module" src="${assets.script}"></script>
      </head>
      <body class="${className}">
        ${body}
      </body>
    </html>`;
}

const logo = html`<svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true">
  <path d="M10 1.5 18 6v8l-8 4.5L2 14V6z" fill="none" stroke="currentColor" stroke-width="1.6" />
  <path d="m6.2 10.2 2.6 2.7 5-5.6" fill="none" stroke="currentColor" stroke-width="1.8" />
</svg>`;

/** The entries of the navigation that only persons with a duty see. */
const dutyOfArea: Readonly<Partial<Record<Area, Duty>>> = { 'New run': 'submit_runs' };

function navigation(
  [heading, entries]: (typeof groups)[number],
  area: Area | undefined,
  roles: readonly string[],
): Html {
  const seen = entries.filter(([label]) => hasDuty(roles, dutyOfArea[label] ?? 'account'));
  return html`<div>
    ${heading && html`<h2>${heading}</h2>`}
    <ul>
      ${seen.map(
        ([label, href]) =>
          html`<li><a href="${href}" ${label === area && html` aria-current="page"`}>${label}</a></li>`,
      )}
    </ul>
  </div>`;
}

function crumb([label, href]: Crumb): Html {
  return html`<li>
    ${href ? html`<a href="${href}">${label}</a>` : html`<span class="${/^[a-z]{3}_/.test(label) && 'uid'}" aria-current="page">${label}</span>`}
  </li>`;
}

/** Returns one figure of the strip at the top of a page. */
export function fact(label: string, value: Part, note: Part = ''): Html {
  return html`<div>
    <dt>${label}</dt>
    <dd>${value}${note !== '' && html`<small>${note}</small>`}</dd>
  </div>`;
}

/** Returns a card with a heading. `note` is next to the heading, and `className` sets its width. */
export function card(
  { title, note = '', className = '' }: { title: string; note?: Part; className?: string },
  body: Part,
): Html {
  const id = `h-${title.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`;
  return html`<section class="card ${className}" aria-labelledby="${id}">
    <header>
      <h2 id="${id}">${title}</h2>
      ${note instanceof Html ? note : note !== '' && html`<span class="dim">${note}</span>`}
    </header>
    ${body}
  </section>`;
}
