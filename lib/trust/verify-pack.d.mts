/** The summary of a valid pack, or the first failed check. */
export type Verified =
  | {
      ok: true;
      uid: string;
      sequence: number;
      period: { from: string; to: string };
      pack_hash: string;
      tree_size: number;
      keyid: string;
      results: Record<string, string>;
      /** Whether the key of the pack was compared with a published key set. */
      keys_checked: boolean;
      /** For the proof of an entry: the index of the entry. `entry` is the recorded entry. */
      index?: number;
      entry?: unknown;
    }
  | { ok: false; kind: FailureKind; message: string };

export type FailureKind = 'not_a_pack' | 'signature' | 'seal' | 'log' | 'findings' | 'chain';

/** The exit status for each kind of failure. */
export declare const failureStatus: Readonly<Record<FailureKind, number>>;

/**
 * Verifies the text of a pack, or of the proof of an entry. `keys` is the text of the published key set.
 * `previous` is the text of the previous pack.
 */
export declare function verifyPack(
  text: string,
  options?: { keys?: string | undefined; previous?: string | undefined },
): Verified;
