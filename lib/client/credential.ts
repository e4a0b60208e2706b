/** What a client shows to be let in. */
export type Credential = {
  token(): Promise<string>;
  /** Another token than the one that was refused; missing where there is no other to be had. */
  renew?(refused: string): Promise<string>;
};

export function apiKey(key: string): Credential {
  return { token: () => Promise.resolve(key) };
}
