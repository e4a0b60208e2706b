import { rewrapSecrets } from '#lib/governance/rewrap-secrets.ts';
import { rewrapCodes } from './person-code.write.ts';

/** Encrypts the secrets of one-time codes with another key. */
export const rewrapPersonCodes = rewrapSecrets(async (em, change) =>
  (await rewrapCodes(em, change)).map(({ personUid: uid, workspaceUid: workspace }) => ({
    op: 'person.code_rewrapped',
    subject: { type: 'person', uid },
    place: { workspace },
  })),
);
