/** What a pack is, or the first thing that does not hold. */
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
      /** Whether the key was looked for in a published set. */
      keys_checked: boolean;
      /** Of the proof of an entry: the place, and what is recorded there. */
      index?: number;
      entry?: unknown;
    }
  | { ok: false; kind: FailureKind; message: string };

export type FailureKind = 'not_a_pack' | 'signature' | 'seal' | 'log' | 'findings' | 'chain';

/** The exit status of each kind of failure. */
export declare const failureStatus: Readonly<Record<FailureKind, number>>;

/** Checks the text of a pack, or of the proof of an entry; `keys` is the text of the published key set, `previous` that of the pack before. */
export declare function verifyPack(
  text: string,
  options?: { keys?: string | undefined; previous?: string | undefined },
): Verified;
