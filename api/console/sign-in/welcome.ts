import { html, type Html } from '../html.ts';

/**
 * Returns the form that opens a session with a sign-in link. The secret of a link is in the fragment of its address,
 * which browsers do not send, so a script copies the secret into the form.
 */
export function welcome(fault?: string): Html {
  return html`<h1>Sign in</h1>
    ${fault !== undefined && html`<p class="fault" role="alert">${fault}</p>`}
    <p>The console opens with a sign-in link. Each link is valid for 15 minutes and opens one session.</p>
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
      <button class="primary" type="submit">Sign in</button>
    </form>
    <p>An operator creates a link for a person on the command line:</p>
    <pre tabindex="0"><code>npm run assay -- person console-link per_… --environment sandbox</code></pre>`;
}
