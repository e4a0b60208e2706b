import { defineCommand } from '#lib/governance/command.ts';
import { lockLiveToken, placeOfLiveToken, revokeToken } from './access-token.write.ts';

/** Revokes one OAuth access token by its uid. The token is rejected from the next request on. */
export const revokeAccessToken = defineCommand<{ token: string }>()({
  find: (em, { token }) => placeOfLiveToken(em, token),
  unknown: 'token_unknown',
  lock: (em, { token }) => lockLiveToken(em, token),
  facts: async (_em, isLive) => isLive,
  decide: (isLive) =>
    isLive ? { ok: true as const } : { ok: false as const, code: 'token_unknown' as const },
  async write(em, _isLive, _verdict, { input: { token }, now }) {
    await revokeToken(em, token, now);
    return { result: undefined };
  },
  entry: (_isLive, verdict, { token }) =>
    verdict.ok ? { op: 'token.revoked', subject: { type: 'token', uid: token } } : undefined,
  refusals: {
    token_unknown: ({ token }) => `The token ${token} does not exist or is already revoked.`,
  },
});
