import { expect } from 'chai';
import {
  applicationEvents,
  applicationStatuses,
  decideApplication,
  type ApplicationEvent,
  type ApplicationStatus,
} from '#lib/access/application.ts';

const table: Record<ApplicationStatus, Record<ApplicationEvent, string>> = {
  active: { suspend: 'suspended', resume: 'unchanged', revoke: 'revoked' },
  suspended: { suspend: 'unchanged', resume: 'active', revoke: 'revoked' },
  revoked: { suspend: 'refused', resume: 'refused', revoke: 'unchanged' },
};

describe('the decision about an application', () => {
  for (const status of applicationStatuses) {
    for (const event of applicationEvents) {
      it(`returns ${table[status][event]} for ${event} of an application that is ${status}`, () => {
        const verdict = decideApplication(status, event);
        expect(verdict.ok ? verdict.next : 'refused').to.equal(table[status][event]);
      });
    }
  }
});
