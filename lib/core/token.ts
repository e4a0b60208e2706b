/** How keys, client secrets and access tokens begin. */
const TOKEN = /(svc_(?:test|live|at|cs)_)\w+/g;

/** A text without the keys and tokens that somebody may have put into it, known by their form. */
export function withoutTokens(text: string): string {
  return text.replace(TOKEN, '$1[Redacted]');
}

/** Whether there is something in a text that looks like a key or token. */
export function hasToken(text: string): boolean {
  return text !== withoutTokens(text);
}
