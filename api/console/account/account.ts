import { codesOf } from '#lib/access/person-code.query.ts';
import { openSessionsOf, type OpenSession } from '#lib/access/console/session.query.ts';
import { namesOfPersons } from '#lib/access/person-names.query.ts';
import { passkeysOf } from '#lib/access/passkeys/passkey.query.ts';
import { PASSKEYS_MAX } from '#lib/access/passkeys/passkey.ts';
import type { Passkey } from '#lib/access/passkeys/passkey.entity.ts';
import { decisionNotice, proofFields } from '../decision-form.ts';
import { instant, pill } from '../format.ts';
import { html, type Html } from '../html.ts';
import { definePage, type PageCall } from '../page.ts';
import { card, fact } from '../shell.ts';
import { empty } from '../states.ts';
import { table } from '../table.ts';
import { codesCard } from './codes.ts';
import { accountDecisions, accountDone } from './decisions.ts';
import { ACCOUNT } from './place.ts';

/** The person of the session, with the passkeys that sign in and sign decisions. */
export const accountPage = definePage({
  path: ACCOUNT,
  area: 'Account',
  decisions: accountDecisions,
  async render(call) {
    const { person, environment, endsAt } = call.session;
    const [passkeys, codes, sessions, proofs] = await Promise.all([
      call.ask(passkeysOf, person.uid),
      call.ask(codesOf, person.uid),
      call.ask(openSessionsOf, person.uid, call.now),
      call.proofs(),
    ]);
    const accepted = [
      proofs.passkey && 'passkey',
      proofs.code && 'one-time code',
      proofs.session && 'session',
    ];
    const body = html`<header class="head">
        <div>
          <h1>${person.name}</h1>
          <p class="meta">
            <span>${person.roles.join(', ') || 'no roles'}</span><span class="mono">${person.uid}</span>
          </p>
        </div>
      </header>
      ${decisionNotice(call, accountDone)}${call.shown && html`<div class="after">${call.shown.preview}</div>`}
      <dl class="facts">
        ${fact('Passkeys', String(passkeys.length), `at most ${PASSKEYS_MAX}`)}
        ${fact('Decisions here take', accepted.filter((each) => each !== false).join(' or '), environment)}
        ${fact('Session ends', endsAt.toISOString().slice(11, 16), 'UTC, or after 15 minutes without a request')}
      </dl>
      <div class="stack">
        ${card({ title: 'Passkeys', note: 'they sign you in and sign your decisions' }, await passkeyTable(call, passkeys))}
        ${card({ title: 'Add a passkey' }, await addForm(call))} ${codesCard(call, codes)}
        ${card({ title: 'Sessions', note: `open in the ${environment}` }, html`${await sessionTable(call, sessions)}${signOutForm(call)}`)}
      </div>`;
    return { title: 'Account', crumbs: [['Account']], body };
  },
});

async function passkeyTable(call: PageCall, passkeys: readonly Passkey[]): Promise<Html> {
  if (passkeys.length === 0)
    return empty('You have no passkey. Add two, so that you can still sign in if you lose one.');
  const proofs = await call.proofs();
  return table(
    'Passkeys',
    [
      { heading: 'Name', cell: ({ name }) => name },
      { heading: 'State', cell: ({ state }) => pill(state) },
      { heading: 'Added, UTC', cell: ({ registeredAt }) => instant(registeredAt.toISOString()) },
      { heading: 'Last used, UTC', cell: ({ usedAt }) => (usedAt ? instant(usedAt.toISOString()) : '–') },
      { heading: 'Uid', cell: ({ uid }) => html`<span class="mono">${uid}</span>` },
      {
        heading: 'Remove',
        cell: ({ uid, name }) =>
          html`<form
            class="decide"
            method="post"
            action="${ACCOUNT}/remove"
            ${proofs.passkey && html`data-passkey`}
          >
            <input type="hidden" name="token" value="${call.token}" />
            <input type="hidden" name="passkey" value="${uid}" />${proofFields(proofs, true)}
            <button class="danger" type="submit" aria-label="Remove the passkey ${name}">Remove</button>
          </form>`,
      },
    ],
    passkeys,
    'tight',
  );
}

async function sessionTable(call: PageCall, sessions: readonly OpenSession[]): Promise<Html> {
  const issuers = sessions.flatMap(({ linkIssuer }) => (linkIssuer === null ? [] : [linkIssuer]));
  const names = await call.ask(namesOfPersons, issuers);
  return table(
    'Sessions',
    [
      { heading: 'Opened, UTC', cell: ({ openedAt }) => instant(openedAt.toISOString()) },
      { heading: 'Last request, UTC', cell: ({ seenAt }) => instant(seenAt.toISOString()) },
      { heading: 'Ends, UTC', cell: ({ endsAt }) => instant(endsAt.toISOString()) },
      { heading: 'Signed in with', cell: ({ proof }) => proofNames[proof] },
      {
        heading: 'Link issued by',
        cell: ({ linkIssuer }) => (linkIssuer === null ? '–' : (names.get(linkIssuer) ?? linkIssuer)),
      },
    ],
    sessions,
    'tight',
  );
}

const proofNames: Readonly<Record<OpenSession['proof'], string>> = {
  link: 'a link',
  passkey: 'a passkey',
  oidc: 'the identity provider',
};

function signOutForm(call: PageCall): Html {
  return html`<div class="pad">
    <p>Sign out on all devices and in both environments, for example after you lost a device.</p>
    <form class="decide" method="post" action="/console/sign-out">
      <input type="hidden" name="token" value="${call.token}" /><input
        type="hidden"
        name="everywhere"
        value="yes"
      />
      <button class="danger" type="submit">Sign out everywhere</button>
    </form>
  </div>`;
}

async function addForm(call: PageCall): Promise<Html> {
  const proofs = await call.proofs();
  return html`<div class="pad">
    <p>
      The browser asks your device or security key for a new passkey.
      ${
        call.session.environment === 'production' &&
        'A second person must confirm it with assay person confirm-passkey before it can sign in production.'
      }
    </p>
    <form
      class="decide"
      method="post"
      action="${ACCOUNT}/add"
      data-register="${ACCOUNT}/registration"
      ${proofs.passkey && html`data-passkey`}
    >
      <input type="hidden" name="token" value="${call.token}" /><input
        type="hidden"
        name="registration"
        value=""
      />
      <label class="grow"
        >Name of the passkey<input name="name" type="text" maxlength="60" autocomplete="off" required
      /></label>
      ${proofFields(proofs)}<button class="primary" type="submit">Add a passkey</button>
      <p class="dim" data-fault role="status">
        Passkeys need a browser with scripts and this address over HTTPS or localhost.
      </p>
    </form>
  </div>`;
}
