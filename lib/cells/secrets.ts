import { rewrapEnvelope } from '#lib/core/envelope-encryption.ts';
import { rewrap, type KeyChange } from '#lib/core/rewrap.ts';

/** The keys that encrypt the secrets of a deployment, by kind. */
export type CellKeys = Readonly<Record<'codes' | 'webhooks' | 'ai', Buffer>>;

/** A table with encrypted columns: which key encrypts them, and the column that names the owner of the secret. */
type SecretTable = {
  key: keyof CellKeys;
  about: string;
  sealed: readonly string[];
  /** The column with the name of the key, if the secrets are envelopes. */
  keyId?: string;
};

export const secretTables: Readonly<Record<string, SecretTable>> = {
  person_code: { key: 'codes', about: 'person_uid', sealed: ['sealed_secret'] },
  webhook: { key: 'webhooks', about: 'uid', sealed: ['secret', 'previous_secret'] },
  ai_connection_key: { key: 'ai', about: 'connection_uid', sealed: ['wrapped_key'], keyId: 'key_id' },
};

type Fields = Map<string, string>;

/**
 * Returns a function that encrypts the secrets of a row with another key; undefined for a table without secrets. The
 * function changes the fields of the row, and throws `SecretUnknown` if the key does not decrypt a secret.
 */
export function rewrapped(
  table: string,
  changeOf: (kind: keyof CellKeys) => KeyChange,
): ((fields: Fields) => void) | undefined {
  const secrets = secretTables[table];
  if (!secrets) return undefined;
  const change = changeOf(secrets.key);
  return (fields) => {
    const about = fields.get(secrets.about)!;
    for (const column of secrets.sealed) {
      const sealed = fields.get(column)!;
      if (sealed === NULL) continue;
      if (secrets.keyId === undefined) fields.set(column, rewrap(sealed, change, about) ?? sealed);
      else {
        const envelope = rewrapEnvelope(sealed, change, about);
        if (envelope === undefined) continue;
        fields.set(column, envelope.wrappedKey);
        fields.set(secrets.keyId, envelope.keyId);
      }
    }
  };
}

/** How COPY's text format writes a null. */
const NULL = String.raw`\N`;
