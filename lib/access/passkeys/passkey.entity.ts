import { defineEntity, p } from '@mikro-orm/core';
import { workspaceFilter } from '#lib/database/base.ts';
import type { PasskeyState } from './passkey.ts';

const PasskeySchema = defineEntity({
  name: 'Passkey',
  filters: workspaceFilter,
  properties: {
    uid: p.text().primary(),
    workspaceUid: p.text(),
    personUid: p.text(),
    /** The id that the authenticator gave to the credential, in base64url. */
    credentialId: p.text(),
    /** The public key as the authenticator sent it: a COSE key in base64url. */
    coseKey: p.text(),
    /** The same public key as a DER-encoded SubjectPublicKeyInfo, in base64url. */
    publicKey: p.text(),
    /** The signature counter of the last assertion. Passkeys that are synchronized keep it at 0. */
    counter: p.bigint('number'),
    transports: p.array(),
    name: p.text(),
    state: p.text().$type<PasskeyState>(),
    registeredAt: p.datetime(),
    /** The person who issued the sign-in link that led to the session in which the passkey was added. */
    linkIssuedByUid: p.text().nullable(),
    confirmedAt: p.datetime().nullable(),
    confirmedByUid: p.text().nullable(),
    removedAt: p.datetime().nullable(),
    usedAt: p.datetime().nullable(),
  },
});

/** A passkey with which a person signs in to the console and signs decisions. */
export class Passkey extends PasskeySchema.class {}
PasskeySchema.setClass(Passkey);
