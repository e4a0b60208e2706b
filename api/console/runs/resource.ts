/** A run of any kind, as the API returns it. */
export type RunResource = {
  readonly uid: string;
  readonly kind: string;
  readonly state: string;
  readonly progress: number;
  readonly attempts: number;
  readonly model: { readonly key: string; readonly version: string };
  readonly input: Readonly<Record<string, unknown>>;
  readonly created_at: string;
  readonly started_at: string | null;
  readonly finished_at: string | null;
  readonly request_id: string;
  readonly problem?: { readonly title: string; readonly detail: string; readonly code: string } | null;
  readonly result?: unknown;
  readonly result_hash?: string;
  readonly seal?: SealView;
};

/** A seal, as the API returns it. */
export type SealView = {
  readonly hash: string;
  readonly covers: readonly string[];
  readonly member_hashes: Readonly<Record<string, string>>;
  readonly sealed_at: string;
};
