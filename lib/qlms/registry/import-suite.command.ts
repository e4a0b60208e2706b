import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import type { Tenant } from '#lib/database/base.ts';
import { defineCommand, personOf } from '#lib/governance/command.ts';
import { acquireNamedLock } from '#lib/governance/named-lock.query.ts';
import { knownPlace, unknownWorkspace } from '#lib/access/known-place.query.ts';
import { QlmSuite } from './qlm.entity.ts';
import { readSuite, type SuiteVerdict } from './suite-text.ts';

type Input = Tenant & { key: string; text: string };
type Verdict = SuiteVerdict | { ok: false; code: 'key_invalid' };

/** Imports a suite of cases. A suite with the same key and the same cases is not imported again. */
export const importSuite = defineCommand<Input>()({
  find: knownPlace,
  unknown: 'workspace_unknown',
  lock: (em, { key }, { workspace, environment }) =>
    acquireNamedLock(em, 'qlm_suite', workspace, environment, key),
  async facts(em, _locked, { key, text }) {
    const read = readSuite(text);
    const same = read.ok ? await em.findOne(QlmSuite, { key, contentHash: read.contentHash }) : null;
    return { read, same };
  },
  decide: ({ read }, { key }): Verdict =>
    /^[a-z][a-z0-9_]{0,63}$/.test(key) ? read : { ok: false, code: 'key_invalid' },
  async write(em, { same }, { cases, contentHash }, at) {
    if (same) return { result: { suite: same, isNew: false } };
    const suite = em.create(QlmSuite, {
      uid: newUid(prefixes.qlmSuite),
      workspaceUid: at.place.workspace,
      environment: at.place.environment,
      key: at.input.key,
      contentHash,
      cases,
      caseCount: cases.length,
      importedByUid: personOf(at),
      importedAt: at.now,
    });
    return { result: { suite, isNew: true } };
  },
  entry: (_facts, _verdict, _input, result) =>
    result?.isNew
      ? {
          op: 'qlm.suite_imported',
          subject: { type: 'qlm_suite', uid: result.suite.uid },
          afterHash: result.suite.contentHash,
          details: { cases: result.suite.caseCount },
        }
      : undefined,
  refusals: {
    ...unknownWorkspace,
    key_invalid: 'A key has only a-z, 0-9 and _, and begins with a letter.',
  },
});
