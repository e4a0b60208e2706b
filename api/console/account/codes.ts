import type { CodesOfPerson } from '#lib/access/person-code.query.ts';
import { enrolmentUri } from '#lib/access/one-time-code.ts';
import { proofFields } from '../decision-form.ts';
import { instant, pill } from '../format.ts';
import { html, type Html } from '../html.ts';
import type { PageCall } from '../page.ts';
import { card } from '../shell.ts';
import { ACCOUNT } from './place.ts';

/** Returns the card of a person's one-time codes: their state, and the form that offers new ones. */
export function codesCard(call: PageCall, codes: CodesOfPerson | undefined): Html {
  return card(
    { title: 'One-time codes', note: codes ? pill(codes.state) : 'an authenticator app makes them' },
    html`<div class="pad">
      ${
        codes
          ? html`<p>
                Set up ${instant(codes.enrolledAt.toISOString())} UTC. Fingerprint
                <code>${codes.fingerprint}</code>.
              </p>
              ${codes.state === 'registered' && waiting(call, codes)}`
          : html`<p>
              You have no one-time codes. With codes you confirm decisions here and on the command line. Set
              them up in a session of the sandbox.
            </p>`
      }
      <form class="decide" method="post" action="${ACCOUNT}/new-codes">
        <input type="hidden" name="token" value="${call.token}" />
        <button type="submit">${codes ? 'Replace the codes' : 'Set up one-time codes'}</button>
      </form>
    </div>`,
  );
}

function waiting({ session }: PageCall, { fingerprint }: CodesOfPerson): Html {
  return html`<p>
      They confirm nothing in production until a second person confirms them. Read the fingerprint to that
      person, who did not issue your sign-in link:
    </p>
    <pre
      tabindex="0"
    ><code>npm run assay -- person confirm-codes ${session.person.uid} --fingerprint ${fingerprint} --as per_… --code 123456</code></pre>`;
}

/**
 * Returns the secret that a session offers its person, and the form that stores the secret with the first code of the
 * authenticator.
 */
export async function offeredCodesView(
  call: PageCall,
  { secret, sealed }: { secret: string; sealed: string },
): Promise<Html> {
  const { name } = call.session.person;
  return card(
    { title: 'New one-time codes', note: 'only this page shows the secret' },
    html`<div class="pad">
      <p>Enter this secret in your authenticator app, then enter the code that the app shows.</p>
      <p><code class="secret">${secret.replace(/(.{4})(?=.)/g, '$1 ')}</code></p>
      <p><a href="${enrolmentUri(secret, name)}">Open an authenticator app on this device</a></p>
      <form
        class="decide"
        method="post"
        action="${ACCOUNT}/codes"
        ${(await call.proofs()).passkey && html`data-passkey`}
      >
        <input type="hidden" name="token" value="${call.token}" />
        <input type="hidden" name="offered" value="${sealed}" />
        <label
          >Code of the new secret<input
            class="code"
            name="first_code"
            type="text"
            inputmode="numeric"
            pattern="[0-9]{6}"
            maxlength="6"
            autocomplete="off"
            required
        /></label>
        ${proofFields(await call.proofs())}<button class="primary" type="submit">Use these codes</button>
      </form>
    </div>`,
  );
}
