/** The credential of a client. */
export type Credential = {
  token(): Promise<string>;
  /** Returns another token than the refused one. Missing if there is no other. */
  renew?(refused: string): Promise<string>;
};

export function apiKey(key: string): Credential {
  return { token: () => Promise.resolve(key) };
}
