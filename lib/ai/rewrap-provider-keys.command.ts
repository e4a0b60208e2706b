import { placeOf } from '#lib/governance/command.ts';
import { rewrapSecrets } from '#lib/governance/rewrap-secrets.ts';
import { rewrapConnectionKeys } from './connection.repository.ts';

/** Puts the keys of AI providers under another key. */
export const rewrapProviderKeys = rewrapSecrets(async (em, change) =>
  (await rewrapConnectionKeys(em, change)).map((connection) => ({
    op: 'ai_connection.rewrapped',
    subject: { type: 'ai_connection', uid: connection.uid },
    place: placeOf(connection)!,
  })),
);
