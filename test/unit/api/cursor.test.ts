import { expect } from 'chai';
import fc from 'fast-check';
import { createCursors } from '#api/http/cursor.ts';
import { newUid } from '#lib/core/id.ts';
import { Problem } from '#lib/core/problem.ts';
import { anyText } from '../../support/arbitrary.ts';

const LIST = '/quant/compute/jobs';
const filters = { kind: 'investment.theme-factors', state: null };
const cursors = createCursors('a secret of the process');

function expectRefused(read: () => string, about?: string): void {
  expect(read, about).to.throw(Problem).with.property('code', 'invalid_cursor');
}

describe('cursors', () => {
  it('are decoded to the last row that they encode, for any row', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (last) => {
        const cursor = cursors.write(LIST, filters, last);
        expect(cursor).to.match(/^[A-Za-z0-9_-]+$/);
        expect(cursors.read(LIST, filters, cursor)).to.equal(last);
      }),
    );
  });

  it('are shorter than the length limit of a query parameter', () => {
    expect(cursors.write(LIST, filters, newUid('tfr')).length).to.be.lessThan(500);
  });

  it('are rejected if any one character is changed', () => {
    const cursor = cursors.write(LIST, filters, newUid('tfr'));
    for (let at = 0; at < cursor.length; at++) {
      for (const letter of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_') {
        if (letter === cursor[at]) continue;
        const changed = cursor.slice(0, at) + letter + cursor.slice(at + 1);
        expectRefused(() => cursors.read(LIST, filters, changed), changed);
      }
    }
  });

  it('are rejected if truncated at either end', () => {
    const cursor = cursors.write(LIST, filters, newUid('tfr'));
    for (let length = 0; length < cursor.length; length++) {
      expectRefused(() => cursors.read(LIST, filters, cursor.slice(0, length)));
      expectRefused(() => cursors.read(LIST, filters, cursor.slice(-length - 1).slice(1)));
    }
  });

  it('are rejected for another list, with other filters and by a process with another secret', () => {
    const cursor = cursors.write(LIST, filters, newUid('tfr'));
    expectRefused(() => cursors.read('/investment/theme-watch/factors', filters, cursor));
    for (const others of [
      {},
      { kind: null, state: null },
      { ...filters, state: 'failed' },
      { ...filters, more: null },
    ]) {
      expectRefused(() => cursors.read(LIST, others, cursor));
    }
    expectRefused(() => createCursors('another secret').read(LIST, filters, cursor));
  });

  it('do not depend on the order of the filters', () => {
    const cursor = cursors.write(LIST, filters, 'tfr_1');
    expect(cursors.read(LIST, { state: null, kind: 'investment.theme-factors' }, cursor)).to.equal('tfr_1');
  });

  // A line break in one of these parts must not be read as the separator between two parts.
  it('distinguish list, filters and last row even if one of these contains a line break', () => {
    const cursor = cursors.write('a', {}, 'b\nc');
    expectRefused(() => cursors.read('a\nb', {}, cursor));
  });

  it('are rejected if the text was never issued as a cursor', () => {
    fc.assert(fc.property(anyText, (text) => expectRefused(() => cursors.read(LIST, filters, text))));
  });
});
