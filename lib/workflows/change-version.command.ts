import { LockMode } from '@mikro-orm/core';
import { defineCommand, personOf, type RefusalCode } from '#lib/governance/command.ts';
import { placeOfRecord } from '#lib/governance/place-of-record.query.ts';
import { entryOf } from './version-entry.ts';
import { decideVersion, type VersionEvent, type VersionVerdict } from './version-states.ts';
import { lockWorkflow } from './version.query.ts';
import { WorkflowVersion } from './workflow-version.entity.ts';

type Input = { version: string; event: VersionEvent };

/** Publishes or withdraws a version of a workflow. Publishing supersedes the version that was published before. */
export const changeVersion = defineCommand<Input>()({
  find: (em, { version }) => placeOfRecord(em, WorkflowVersion, version),
  unknown: 'version_unknown',
  async lock(em, { version: uid }, place): Promise<WorkflowVersion> {
    const { key } = await em.findOneOrFail(WorkflowVersion, { uid });
    await lockWorkflow(em, place, key);
    return em.findOneOrFail(
      WorkflowVersion,
      { uid },
      { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true },
    );
  },
  facts: async (_em, version) => version,
  decide: ({ state, proposedByUid: proposedBy }, { event }, at): VersionVerdict =>
    decideVersion({ state, proposedBy }, event, personOf(at)),
  async write(em, version, { next }, at) {
    const { now } = at;
    if (at.input.event === 'publish') {
      await em.nativeUpdate(
        WorkflowVersion,
        { key: version.key, state: 'published' },
        { state: 'superseded', endedAt: now },
      );
      em.assign(version, { publishedByUid: personOf(at), publishedAt: now });
    } else version.endedAt = now;
    version.state = next;
    return { result: version };
  },
  entry: (version, _verdict, { event }) => entryOf(event === 'publish' ? 'published' : 'withdrawn', version),
  refusals: {
    version_unknown: 'The workflow version does not exist.',
    transition_not_allowed: 'The state of the version does not allow this change.',
    second_person_required: 'The person who proposed a version cannot publish it.',
  } satisfies Record<RefusalCode<VersionVerdict> | 'version_unknown', string>,
});
