/** The beginnings of keys, client secrets and access tokens. */
const TOKEN = /(svc_(?:test|live|at|cs)_)\w+/g;

/** Removes keys and tokens from a text, recognised by their form. */
export function withoutTokens(text: string): string {
  return text.replace(TOKEN, '$1[Redacted]');
}

/** Whether a text contains something that looks like a key or token. */
export function hasToken(text: string): boolean {
  return text !== withoutTokens(text);
}
