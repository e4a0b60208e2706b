const shared = 'its rows belong to the deployment; what the workspace refers to must exist in the target';
const own = 'its rows describe the deployment itself';

/** The tables that an export leaves out, each with the reason. Every other table of the schema is exported. */
export const leftOut: Readonly<Record<string, string>> = {
  model_version: shared,
  workflow_library_item: `${shared}; an installation holds a copy of its definition`,
  market_listing: 'a listing belongs to the marketplace of its deployment; the publisher proposes it again',
  signing_key:
    'private keys stay in their deployment; the export carries the public halves that its packs need',
  benchmark_period: own,
  benchmark_cell: own,
  benchmark_cell_basis: own,
  benchmark_parameter: own,
  meter_start: own,
  posture_control: own,
  restore_trial: own,
  rate_limit: 'quotas start again in the target',
  penalty: 'it concerns callers, not a workspace',
  workspace_move: 'it records for its own deployment where a workspace is',
  run_part: 'it holds parts of runs in progress; the target computes these runs again',
  console_link: 'a link for signing in is valid at one address only',
  console_session: 'a session of the console is valid at one address only',
  oidc_flow: 'a sign-in at the identity provider ends within minutes, at one address only',
  passkey_challenge: 'a challenge is valid for minutes, at one address only',
};

/** The columns that an export leaves out, because they describe the queue of the old deployment. */
export const leftOutColumns: Readonly<Record<string, readonly string[]>> = {
  dispatch: ['tag', 'admitted_at', 'started_at'],
};
