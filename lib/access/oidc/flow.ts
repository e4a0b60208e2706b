import { createHmac } from 'node:crypto';

/** How long a sign-in at the identity provider may take, in minutes. */
export const FLOW_MINUTES = 10;
/** How old the sign-in at the identity provider may be, in seconds. An older one has to be repeated there. */
export const MAX_AGE_S = 300;

/** The texts of a flow that bind its steps to each other and to the browser that started it. */
export type FlowTexts = {
  /** Returned with the code. Binds the answer to the browser. */
  state: string;
  /** Part of the ID token. Binds the token to the browser. */
  nonce: string;
  /** The PKCE verifier. Only the process that knows the secret of the flow can use the code. */
  verifier: string;
};

/**
 * Derives the texts of a flow from its secret, which only the cookie of the browser contains. State and nonce are sent to
 * the provider. They reveal neither the secret nor the verifier, so the database stores none of these texts.
 */
export function flowTexts(secret: string): FlowTexts {
  const derive = (purpose: string) =>
    createHmac('sha256', secret).update(`oidc ${purpose}`).digest('base64url');
  return { state: derive('state'), nonce: derive('nonce'), verifier: derive('verifier') };
}
