import { html, type Html } from '../html.ts';

/** Returns the sign-in page, with the reason why a sign-in was refused. */
export type SignInPage = (fault?: string) => Html;

type Welcome = {
  fault?: string | undefined;
  /** The name of the identity provider, if one is configured. */
  provider?: string | undefined;
  /** The page to show after sign-in. Default: the overview. */
  page?: string | undefined;
};

/**
 * Returns the forms that open a session: with a passkey, at the identity provider, or with a sign-in link. The secret of a link is in the fragment
 * of its address, which browsers do not send, so a script copies it into the form.
 */
export function welcome({ fault, provider, page }: Welcome): Html {
  const returnTo = page !== undefined && html`<input type="hidden" name="return_to" value="${page}" />`;
  return html`<h1>Sign in</h1>
    ${fault !== undefined && html`<p class="fault" role="alert">${fault}</p>`}
    <form method="post" action="/console/sign-in/passkey" data-passkey="/console/sign-in/challenge">
      <label for="environment">Environment</label>
      <select id="environment" name="environment">
        <option value="sandbox">Sandbox</option>
        <option value="production">Production</option>
      </select>
      <input type="hidden" name="answer" value="" />${returnTo}
      <button class="primary" type="submit">Sign in with a passkey</button>
      <p class="dim" data-fault role="status">
        The first time, sign in with a link and add a passkey to your account.
      </p>
    </form>
    ${provider !== undefined && providerForm(provider, returnTo)}
    <h2>With a link</h2>
    <p>Each sign-in link is valid for 15 minutes and opens one session.</p>
    <form method="post" action="/console/sign-in" data-sign-in>
      <label for="link">Code of the sign-in link</label>
      <input
        id="link"
        name="link"
        type="password"
        autocomplete="off"
        required
        maxlength="64"
        aria-describedby="link-note"
      />
      <p class="dim" id="link-note">The part of the link after the character #.</p>
      ${returnTo}
      <button type="submit">Sign in with the link</button>
    </form>
    <p>An operator creates a link for a person on the command line:</p>
    <pre tabindex="0"><code>npm run assay -- person console-link per_… --environment sandbox</code></pre>`;
}

function providerForm(provider: string, returnTo: Html | false): Html {
  return html`<h2>With ${provider}</h2>
    <form method="post" action="/console/sign-in/oidc">
      <label for="provider-environment">Environment</label>
      <select id="provider-environment" name="environment">
        <option value="sandbox">Sandbox</option>
        <option value="production">Production</option>
      </select>
      ${returnTo}<button type="submit">Sign in with ${provider}</button>
    </form>`;
}
