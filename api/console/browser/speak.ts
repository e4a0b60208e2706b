/** Lets screen readers read a text. */
export function speak(text: string): void {
  const voice = document.querySelector('#voice');
  if (voice) voice.textContent = text;
}
