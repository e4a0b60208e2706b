/** The source of the credential that a client sends. */
export type Credential = {
  token(): Promise<string>;
  /**
   * Returns a token that replaces the refused token. The method is omitted if the credential cannot be
   * renewed.
   */
  renew?(refused: string): Promise<string>;
};

export function apiKey(key: string): Credential {
  return { token: () => Promise.resolve(key) };
}
