/** Matches keys, client secrets and access tokens by their prefixes. */
const TOKEN = /(svc_(?:test|live|at|cs)_)\w+/g;

/** Replaces keys and tokens in a text. They are recognised by their prefixes. */
export function withoutTokens(text: string): string {
  return text.replace(TOKEN, '$1[Redacted]');
}

/** Whether a text contains a part with the form of a key or token. */
export function hasToken(text: string): boolean {
  return text !== withoutTokens(text);
}
