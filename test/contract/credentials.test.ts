import { crc32 } from 'node:zlib';
import { expect } from 'chai';
import type { Em } from '#lib/database/base.ts';
import { inPlatform } from '#lib/database/orm.ts';
import { scopes } from '#lib/core/scope.ts';
import { newApiKey } from '#lib/access/api-key.ts';
import { Application } from '#lib/access/application.entity.ts';
import type { ApplicationStatus } from '#lib/access/application.ts';
import { Credential } from '#lib/access/credential.entity.ts';
import { ProductionAccess } from '#lib/access/production-access.entity.ts';
import { Workspace } from '#lib/access/workspace.entity.ts';
import { buildTenancy, type Tenancy } from '../support/build.ts';
import { onOneBackend } from '../support/live.ts';
import { inTurn } from '../support/repetitions.ts';
import { call, expectListed, expectProblem, withoutUniqueParts, type Answer } from './call.ts';
import { operations, scoped } from './operations.ts';

type Change = (em: Em, tenancy: Tenancy) => Promise<unknown>;

const changes: Record<'revoked' | 'expired' | 'suspended' | 'production', Change> = {
  revoked: (em, { credential: uid }) =>
    em.nativeUpdate(Credential, { uid }, { revokedAt: new Date() }, { filters: false }),
  expired: (em, { credential: uid }) =>
    em.nativeUpdate(Credential, { uid }, { expiresAt: new Date() }, { filters: false }),
  suspended: (em, { application: uid }) =>
    em.nativeUpdate(Application, { uid }, { status: 'suspended' }, { filters: false }),
  production: (em, { application: applicationUid }) =>
    em.nativeUpdate(ProductionAccess, { applicationUid }, { state: 'revoked' }, { filters: false }),
};

const INVALID = 'Bearer realm="assay", error="invalid_token"';

onOneBackend('Every operation requires a credential', (live) => {
  let tenancy: Tenancy;
  /**
   * Two sets of keys. Each key of the first set lacks one scope of the application. The workspace of each key
   * of the second set lacks one entitlement.
   */
  const without = { scope: new Map<string, string>(), entitlement: new Map<string, string>() };

  /** For each scope, a key that has only this scope. */
  const only = new Map<string, string>();
  const ended: Record<'revoked' | 'expired' | 'suspended' | 'production', string> = {
    revoked: '',
    expired: '',
    suspended: '',
    production: '',
  };

  before(async () => {
    tenancy = await buildTenancy(live());
    for (const scope of scopes) {
      only.set(scope, (await buildTenancy(live(), { scopes: [scope], workspace: tenancy.workspace })).key);
    }
    for (const [state, change] of Object.entries(changes) as [keyof typeof changes, Change][]) {
      const changed = await buildTenancy(live(), state === 'production' ? { environment: 'production' } : {});
      await inPlatform(live().orm('operator'), (em) => change(em, changed));
      ended[state] = changed.key;
    }
    for (const scope of new Set(scoped.map((operation) => operation.scope))) {
      const others = scopes.filter((each) => each !== scope);
      without.scope.set(scope, (await buildTenancy(live(), { scopes: others })).key);
      const unentitled = await buildTenancy(live());
      await inPlatform(live().orm('operator'), (em) =>
        em.nativeUpdate(Workspace, { uid: unentitled.workspace }, { entitlements: others }),
      );
      without.entitlement.set(scope, unentitled.key);
    }
  });

  /** Returns tokens that identify no application, each for a different reason. */
  function falseTokens(): [about: string, token: string][] {
    const { key } = tenancy;
    const other = key.startsWith('svc_test_') ? 'svc_live_' : 'svc_test_';
    return [
      ['noise', 'x'],
      ['another scheme of keys', 'sk_live_4eC39HqLyjWDarjtT1zdp7dc'],
      ['a key cut short', key.slice(0, -1)],
      ['a key with a slip', key.slice(0, -1) + (key.endsWith('0') ? '1' : '0')],
      ['a key that nobody issued', newApiKey('sandbox').key],
      ['the key under the prefix of the other environment', rechecked(other + key.slice(9, -6))],
      [
        'the id of the key with another secret',
        rechecked(key.slice(0, 19) + newApiKey('sandbox').key.slice(19, -6)),
      ],
      ['an unknown prefix', rechecked(`svc_prod_${key.slice(9, -6)}`)],
      ['the hash of nothing', '0'.repeat(68)],
    ];
  }

  for (const [turn, operation] of scoped.entries()) {
    describe(operation.key, () => {
      const ask = (key?: string, headers?: Record<string, string>): Promise<Answer> =>
        call(live(), operation, { key, ...(headers ? { headers } : {}) });

      it('401 credential_required without a credential, or with an unsupported scheme', async () => {
        const schemes = [{ authorization: 'Basic dXNlcjpwYXNz' }, { authorization: 'Bearer' }];
        for (const headers of [{}, ...inTurn(schemes, turn, 1)]) {
          const answer = await ask(undefined, headers);
          expectProblem(answer, 'credential_required', JSON.stringify(headers));
          expectListed(answer, operation);
          expect(challengeOf(answer)).to.equal('Bearer realm="assay"');
        }
      });

      it('401 invalid_token for an unknown token, without stating the reason', async () => {
        const answers = new Map<string, unknown>();
        for (const [about, token] of inTurn(falseTokens(), turn, 3)) {
          const answer = await ask(token);
          expectProblem(answer, 'invalid_token', about);
          expectListed(answer, operation);
          expect(challengeOf(answer), about).to.equal(INVALID);
          answers.set(about, withoutUniqueParts(answer));
        }
        const [first, ...others] = answers.values();
        for (const other of others) expect(other).to.deep.equal(first);
      });

      it('401 invalid_token for a revoked or expired key', async () => {
        for (const state of ['revoked', 'expired'] as const) {
          expectProblem(await ask(ended[state]), 'invalid_token', state);
        }
      });

      it('403 for a suspended application and for an application without production access', async () => {
        const suspended = await ask(ended.suspended);
        expectProblem(suspended, 'application_inactive');
        expectListed(suspended, operation);
        const production = await ask(ended.production);
        expectProblem(production, 'production_access_disabled');
        expectListed(production, operation);
      });

      // The next test covers the opposite case: a key with every scope except the required scope.
      it('403 insufficient_scope for a key with any one scope other than the required scope', async () => {
        const right = await ask(only.get(operation.scope));
        expect([401, 403]).to.not.include(right.status);
        for (const scope of inTurn(
          scopes.filter((each) => each !== operation.scope),
          turn,
        )) {
          expectProblem(await ask(only.get(scope)), 'insufficient_scope', scope);
        }
      });

      it('403 insufficient_scope names the required scope if the key has every other scope', async () => {
        const { scope } = operation;
        const answer = await ask(without.scope.get(scope));
        expectProblem(answer, 'insufficient_scope');
        expectListed(answer, operation);
        expect(answer.body.required_scope).to.equal(scope);
        expect(challengeOf(answer)).to.equal(
          `Bearer realm="assay", error="insufficient_scope", scope="${scope}"`,
        );
      });

      it('403 entitlement_missing if the workspace lacks the entitlement, even if the application has the scope', async () => {
        const answer = await ask(without.entitlement.get(operation.scope));
        expectProblem(answer, 'entitlement_missing');
        expectListed(answer, operation);
      });

      it('accepts the credential scheme in upper or lower case', async () => {
        for (const scheme of inTurn(['Bearer', 'bearer', 'BEARER '], turn, 1)) {
          const answer = await ask(undefined, { authorization: `${scheme} ${tenancy.key}` });
          expect([401, 403], scheme).to.not.include(answer.status);
        }
      });
    });
  }
});

onOneBackend('A credential is looked up on every request', (live) => {
  const operation = operations.find(({ key }) => key === 'quant.compute.jobs.list')!;

  async function expectActive(key: string): Promise<void> {
    expect((await call(live(), operation, { key })).status).to.equal(200);
  }

  async function setStatus({ application }: Tenancy, status: ApplicationStatus): Promise<void> {
    await inPlatform(live().orm('operator'), (em) =>
      em.nativeUpdate(Application, { uid: application }, { status }, { filters: false }),
    );
  }

  it('rejects only the revoked key of an application on the next request', async () => {
    const tenancy = await buildTenancy(live());
    const neighbour = await buildTenancy(live(), { workspace: tenancy.workspace });
    await expectActive(tenancy.key);
    await inPlatform(live().orm('operator'), (em) =>
      em.nativeUpdate(Credential, { uid: tenancy.credential }, { revokedAt: new Date() }, { filters: false }),
    );
    const answer = await call(live(), operation, { key: tenancy.key });
    expectProblem(answer, 'invalid_token');
    expect(answer.headers.get('www-authenticate')).to.equal(INVALID);
    await expectActive(neighbour.key);
  });

  for (const status of ['suspended', 'revoked'] as const) {
    it(`rejects a key of a ${status} application on the next request`, async () => {
      const tenancy = await buildTenancy(live());
      await expectActive(tenancy.key);
      await setStatus(tenancy, status);
      const answer = await call(live(), operation, { key: tenancy.key });
      expectProblem(answer, 'application_inactive');
      expectListed(answer, operation);
      expect(answer.body.detail).to.contain(status);
      await setStatus(tenancy, 'active');
      await expectActive(tenancy.key);
    });
  }

  it('applies the removal of a scope to the next request', async () => {
    const tenancy = await buildTenancy(live());
    await expectActive(tenancy.key);
    await inPlatform(live().orm('operator'), (em) =>
      em.nativeUpdate(
        Application,
        { uid: tenancy.application },
        { scopes: ['quant:compute:run'] },
        { filters: false },
      ),
    );
    expectProblem(await call(live(), operation, { key: tenancy.key }), 'insufficient_scope');
  });

  it('applies the removal of an entitlement to the next request', async () => {
    const tenancy = await buildTenancy(live());
    await expectActive(tenancy.key);
    await inPlatform(live().orm('operator'), (em) =>
      em.nativeUpdate(Workspace, { uid: tenancy.workspace }, { entitlements: [] }),
    );
    expectProblem(await call(live(), operation, { key: tenancy.key }), 'entitlement_missing');
  });
});

/** Returns the challenge of an answer, without the metadata address for agents. */
function challengeOf({ headers }: Answer): string | undefined {
  return headers.get('www-authenticate')?.replace(/, resource_metadata="[^"]+"$/, '');
}

/** Creates a text in the format of a key with a matching checksum: CRC-32 in six digits of base62. */
function rechecked(text: string): string {
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  let rest = crc32(text);
  let checksum = '';
  for (let at = 0; at < 6; at++) {
    checksum = digits[rest % 62]! + checksum;
    rest = Math.floor(rest / 62);
  }
  return text + checksum;
}
