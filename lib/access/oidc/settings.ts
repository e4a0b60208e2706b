import { readFileSync } from 'node:fs';
import type { Config } from '#lib/core/config.ts';
import { clientKeyOf } from './client-key.ts';

/** The identity provider of the deployment, and the console's client at the provider. */
export type OidcSettings = {
  issuer: string;
  clientId: string;
  /** The secret of the client; undefined if the client has a private key. */
  secret: string | undefined;
  /** The private key of the client in PEM; undefined if the client has a secret. */
  key: string | undefined;
  /** The name of the provider on the sign-in page. */
  name: string;
  /** The only algorithm with which the provider may sign ID tokens. */
  algorithm: string;
  /** The authentication contexts that the provider may state. An empty list accepts every context. */
  acr: readonly string[];
  /** Networks that are not public, but may be reached, in CIDR notation. */
  networks: string;
};

type Given = Pick<
  Config,
  | 'OIDC_ISSUER'
  | 'OIDC_CLIENT_ID'
  | 'OIDC_CLIENT_SECRET'
  | 'OIDC_CLIENT_KEY_FILE'
  | 'OIDC_NAME'
  | 'OIDC_ALGORITHM'
  | 'OIDC_ACR'
  | 'OIDC_NETWORKS'
>;

/**
 * Returns the identity provider that is configured; undefined if there is none. Throws a one-sentence error if the
 * settings are incomplete or the key cannot be used, so that the process does not start.
 */
export async function oidcSettings(given: Given): Promise<OidcSettings | undefined> {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: secret } = given;
  const file = given.OIDC_CLIENT_KEY_FILE;
  if (issuer === undefined && clientId === undefined && secret === undefined && file === undefined)
    return undefined;
  if (issuer === undefined || clientId === undefined)
    throw new Error('sign-in with OIDC needs OIDC_ISSUER and OIDC_CLIENT_ID');
  if ((secret === undefined) === (file === undefined))
    throw new Error('sign-in with OIDC needs either OIDC_CLIENT_SECRET or OIDC_CLIENT_KEY_FILE');
  const key = file === undefined ? undefined : readFileSync(file, 'utf8');
  if (key !== undefined) await clientKeyOf(key);
  return {
    issuer,
    clientId,
    secret,
    key,
    name: given.OIDC_NAME,
    algorithm: given.OIDC_ALGORITHM,
    acr: given.OIDC_ACR.split(',').filter((each) => each !== ''),
    networks: given.OIDC_NETWORKS,
  };
}
