/** Announces a text to screen readers. */
export function speak(text: string): void {
  const voice = document.querySelector('#voice');
  if (voice) voice.textContent = text;
}
