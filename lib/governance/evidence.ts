/** How much the hash of a source proves: a SHA-256 can be recomputed, anything else is only kept. */
export type HashGrade = 'sha256' | 'opaque';

/** The hash of a source in its normal form, or undefined for what is none. */
export function gradeHash(text: string): { hash: string; grade: HashGrade } | undefined {
  const [, hex] = /^(?:sha256:)?([0-9a-fA-F]{64})$/.exec(text) ?? [];
  if (hex) return { hash: `sha256:${hex.toLowerCase()}`, grade: 'sha256' };
  return /^[\x21-\x7e]{8,256}$/.test(text) ? { hash: text, grade: 'opaque' } : undefined;
}

/** What makes an offered source another one than that which is kept under the same reference. */
export type ConflictKind =
  | 'content_mismatch'
  | 'hash_mismatch'
  | 'counterparty_mismatch'
  | 'currency_mismatch';

export type Evidence = { sourceHash: string; content: Readonly<Record<string, unknown>> };

export type EvidenceVerdict = { same: true } | { same: false; kind: ConflictKind; differing: string[] };

/**
 * Holds an offered source against the one that is kept under its reference. The same hash with the same content is the
 * same source; everything else is a conflict, named after the worst that differs. `differing` are JSON pointers.
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
