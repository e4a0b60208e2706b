import { expect } from 'chai';
import fc from 'fast-check';
import { entryOf, type AuditEvent } from '#lib/audit/entry.ts';
import { isScope } from '#lib/core/scope.ts';
import { eventTypes } from '#lib/events/catalog.ts';
import { eventOf } from '#lib/events/event.ts';

const activated: AuditEvent = {
  at: new Date('2026-11-21T10:00:00Z'),
  op: 'delegation.activated',
  actor: { kind: 'application', uid: 'app_1', credential: 'key_1' },
  subject: { type: 'delegation', uid: 'dlg_1', version: 1 },
  requestId: 'req_1',
  payloadHash: 'a'.repeat(64),
  details: { node: 'one', person_uid: 'per_1', reason: 'Because I say so', approval_uid: 'apr_1' },
};

describe('the event for an audit log entry', () => {
  it('has the type, time and subject of the entry, and only the details that its event type lists', () => {
    expect(eventOf(entryOf(activated))).to.deep.equal({
      type: 'delegation.activated',
      occurred_at: '2026-11-21T10:00:00.000Z',
      subject: { type: 'delegation', uid: 'dlg_1', version: '1' },
      actor_kind: 'application',
      code: null,
      details: { approval_uid: 'apr_1', node: 'one', person_uid: 'per_1' },
    });
  });

  it('is undefined if the event catalogue has no type for the operation of the entry', () => {
    expect(eventOf(entryOf({ ...activated, op: 'delegation.dreamt' }))).to.equal(undefined);
  });

  it('is undefined if its event type is not for the outcome of the entry', () => {
    expect(eventOf(entryOf({ ...activated, refused: 'sod_same_application' }))).to.equal(undefined);
    const refusal = { ...activated, op: 'delegation.approval_refused' } as const;
    expect(eventOf(entryOf(refusal))).to.equal(undefined);
    expect(eventOf(entryOf({ ...refusal, refused: 'sod_same_application' }))?.code).to.equal(
      'sod_same_application',
    );
  });

  it('exists for both outcomes of an admission, but only for one outcome of other entries', () => {
    const refused = 'denied';
    const admission = { ...activated, op: 'workflow.admission_decided' } as const;
    expect(eventOf(entryOf(admission))!.code).to.equal(null);
    expect(eventOf(entryOf({ ...admission, refused }))!.code).to.equal(refused);
    expect(eventOf(entryOf({ ...activated, refused }))).to.equal(undefined);
  });

  // A text from a person or a source system must not leave the audit log, even if its member has a name that
  // an event type lists.
  it('never has a detail that is a sentence, a list or an object', () => {
    const names = [...eventTypes].flatMap(([op, { members }]) => members.map((name) => [op, name] as const));
    const content = fc.oneof(
      fc.string().map((text) => `${text} and more`),
      fc.string({ minLength: 81 }),
      fc.array(fc.string(), { minLength: 1 }),
      fc.object(),
    );
    fc.assert(
      fc.property(fc.constantFrom(...names), content, ([op, name], value) => {
        const { outcome } = eventTypes.get(op)!;
        const entry = entryOf({
          ...activated,
          op: op as AuditEvent['op'],
          details: { [name]: value },
          refused: outcome === 'refused' ? 'refused' : undefined,
        });
        return Object.keys(eventOf(entry)!.details).length === 0;
      }),
    );
  });
});

describe('the event catalogue', () => {
  it('has for each event type a name of the form noun.participle, a scope and a description', () => {
    expect(eventTypes.size).to.be.greaterThan(50);
    for (const [name, { scope, about }] of eventTypes) {
      expect(name).to.match(/^[a-z_]+\.[a-z_]+$/);
      expect(isScope(scope), name).to.equal(true);
      expect(about, name).to.match(/^[A-Z].*\.$/);
    }
  });
});
