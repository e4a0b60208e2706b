/** The grade of a source's hash. A `sha256` hash can be recomputed from the source. An `opaque` hash is only stored. */
export type HashGrade = 'sha256' | 'opaque';

/** Returns the hash of a source in its normal form, with its grade; undefined if the text is not a hash. */
export function gradeHash(text: string): { hash: string; grade: HashGrade } | undefined {
  const [, hex] = /^(?:sha256:)?([0-9a-fA-F]{64})$/.exec(text) ?? [];
  if (hex) return { hash: `sha256:${hex.toLowerCase()}`, grade: 'sha256' };
  return /^[\x21-\x7e]{8,256}$/.test(text) ? { hash: text, grade: 'opaque' } : undefined;
}

/** The kind of difference between a submitted source and the source stored under the same reference. */
export type ConflictKind =
  | 'content_mismatch'
  | 'hash_mismatch'
  | 'counterparty_mismatch'
  | 'currency_mismatch';

export type Evidence = { sourceHash: string; content: Readonly<Record<string, unknown>> };

export type EvidenceVerdict = { same: true } | { same: false; kind: ConflictKind; differing: string[] };

/**
 * Compares a submitted source with the source stored under its reference. Two sources are equal if their hashes and
 * contents are equal. Otherwise the result is a conflict, of the most severe kind that applies. `differing` contains
 * the JSON pointers of the fields that differ.
 */
export function compareEvidence(kept: Evidence, offered: Evidence): EvidenceVerdict {
  const names = [...new Set([...Object.keys(kept.content), ...Object.keys(offered.content)])].toSorted();
  const differing = names
    .filter((name) => kept.content[name] !== offered.content[name])
    .map((name) => `/${name}`);
  const sameHash = kept.sourceHash === offered.sourceHash;
  if (sameHash && differing.length === 0) return { same: true };
  const all = sameHash ? differing : [...differing, '/source_hash'];
  const kind = differing.includes('/counterparty_id')
    ? 'counterparty_mismatch'
    : differing.includes('/currency')
      ? 'currency_mismatch'
      : sameHash
        ? 'content_mismatch'
        : 'hash_mismatch';
  return { same: false, kind, differing: all };
}
