/** The persons who could have signed in as a person, and so could have added a passkey or codes of that person alone. */
export type Vouched = {
  personUid: string;
  /** The person who issued the sign-in link that led to the session in which the passkey or the codes were added. */
  linkIssuedByUid: string | null;
  /** The persons who linked an identity to the person, also one that was removed. */
  linkerUids: readonly string[];
};

/**
 * Whether a person can confirm that a passkey or codes belong to their person. The person concerned cannot, nor can anybody
 * who could have signed in as that person.
 */
export function canVouch({ personUid, linkIssuedByUid, linkerUids }: Vouched, by: string): boolean {
  return ![personUid, linkIssuedByUid, ...linkerUids].includes(by);
}
