/**
 * Copies the secret of a sign-in link from the address into the form and sends the form. The secret is in the fragment, so
 * neither a server's log nor another site receives it.
 */
export function followLink(): void {
  const form = document.querySelector<HTMLFormElement>('[data-sign-in]');
  const secret = location.hash.slice(1);
  if (!form || secret === '') return;
  history.replaceState(null, '', location.pathname);
  const field = form.elements.namedItem('link');
  if (!(field instanceof HTMLInputElement)) return;
  field.value = secret;
  form.requestSubmit();
}

/**
 * Lets forms use passkeys. Before such a form is sent, the browser creates a passkey (`data-register`) or signs the
 * challenge of the server (`data-passkey`), and its answer fills a field of the form.
 */
export function followPasskeys(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>('[data-passkey], [data-register]'))
    form.addEventListener('submit', (event) => {
      const { submitter } = event;
      const missing = missingAnswers(form);
      if (missing.length === 0 || !(submitter instanceof HTMLButtonElement) || submitter.formNoValidate)
        return;
      event.preventDefault();
      void answerAll(form, submitter, missing);
    });
}

type Answer = 'registration' | 'answer';

/** Returns the answers that a form still needs. A person who entered a code needs no signature. */
function missingAnswers(form: HTMLFormElement): Answer[] {
  const isEmpty = (name: string): boolean => {
    const field = form.elements.namedItem(name);
    return field instanceof HTMLInputElement && field.value === '';
  };
  const hasCode = form.elements.namedItem('code') !== null && !isEmpty('code');
  const missing: Answer[] = [];
  if (form.dataset['register'] !== undefined && isEmpty('registration')) missing.push('registration');
  if (form.dataset['passkey'] !== undefined && isEmpty('answer') && !hasCode) missing.push('answer');
  return missing;
}

async function answerAll(
  form: HTMLFormElement,
  submitter: HTMLButtonElement,
  missing: readonly Answer[],
): Promise<void> {
  try {
    for (const name of missing) {
      const field = form.elements.namedItem(name) as HTMLInputElement;
      field.value = name === 'answer' ? await sign(form, submitter) : await register(form);
    }
    form.requestSubmit(submitter);
  } catch (error) {
    for (const name of missing) (form.elements.namedItem(name) as HTMLInputElement).value = '';
    say(form, messageOf(error));
  }
}

async function sign(form: HTMLFormElement, submitter: HTMLButtonElement): Promise<string> {
  // The address of a button without one of its own is that of the page, not that of its form.
  const action = submitter.hasAttribute('formaction') ? submitter.formAction : form.action;
  const options = await ask<PublicKeyCredentialRequestOptionsJSON>(
    form.dataset['passkey'] || `${action}/challenge`,
    form,
  );
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  return JSON.stringify(await navigator.credentials.get({ publicKey }));
}

async function register(form: HTMLFormElement): Promise<string> {
  const options = await ask<PublicKeyCredentialCreationOptionsJSON>(form.dataset['register']!, form);
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  return JSON.stringify(await navigator.credentials.create({ publicKey }));
}

/** Sends the fields of a form and returns the options that the server answers. */
async function ask<Options>(url: string, form: HTMLFormElement): Promise<Options> {
  const fields = [...new FormData(form)].map(([name, value]) => [name, String(value)]);
  const response = await fetch(url, { method: 'POST', body: new URLSearchParams(fields) });
  if (!response.ok) throw new Error('The server refused the request. Load the page again.');
  return (await response.json()) as Options;
}

function messageOf(error: unknown): string {
  if (error instanceof DOMException && error.name === 'InvalidStateError')
    return 'This device has a passkey of yours already.';
  if (error instanceof DOMException && error.name === 'NotAllowedError')
    return 'No passkey was used: the request was cancelled, took too long, or this device has none.';
  return error instanceof Error ? error.message : 'The passkey could not be used.';
}

function say(form: HTMLFormElement, text: string): void {
  const place = form.querySelector<HTMLElement>('[data-fault]');
  if (place) place.textContent = text;
}
