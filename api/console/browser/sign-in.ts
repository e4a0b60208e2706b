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
