import { expect } from 'chai';
import { findingsIn } from '../../wording/patterns.ts';
import { sentencesOf } from '../../wording/prose.ts';

describe('the check of wording', () => {
  const sentences = (path: string, text: string) =>
    sentencesOf({ path, text }).map((sentence) => `${sentence.line} ${sentence.text}`);
  const named = (text: string) =>
    findingsIn({ path: 'a.md', line: 1, text }).map(({ pattern }) => pattern.name);

  it('reads the sentences in comments and string literals, but not code', () => {
    const code = [
      '/** Returns the rows. Limits are',
      ' * applied first. */',
      'export const anew = told; // The rows that are left.',
      "const detail = 'The value is too large for its column.';",
      "const name = 'anew';",
    ].join('\n');
    expect(sentences('a.ts', code)).to.deep.equal([
      '1 Returns the rows.',
      '1 Limits are applied first.',
      '3 The rows that are left.',
      '4 The value is too large for its column.',
    ]);
  });

  it('reads the paragraphs and table cells of Markdown, but no headings and code blocks', () => {
    const page = [
      '# A title',
      '',
      'First. Second one.',
      '```sh',
      'told anew',
      '```',
      '| A cell | Other |',
    ].join('\n');
    expect(sentences('a.md', page)).to.deep.equal(['3 First.', '3 Second one.', '7 A cell', '7 Other']);
  });

  it('reports sentences with a clause as subject, but not questions', () => {
    expect(named('What is missing is read again.')).to.deep.equal(['headless subject']);
    expect(named('Who calls too often waits.')).to.deep.equal(['headless subject']);
    expect(named('What does it cost?')).to.deep.equal([]);
    expect(named('Rows that are missing are read again.')).to.deep.equal([]);
  });

  it('reports words that are not terms of the field', () => {
    expect(named('The wait is told in milliseconds.')).to.deep.equal(['tell']);
    expect(named('The value is no number.')).to.deep.equal(['is no']);
    expect(named('There is no such value.')).to.deep.equal([]);
    expect(named('The value is no longer there.')).to.deep.equal([]);
    expect(named('It stands for a currency.')).to.deep.equal([]);
    expect(named('The shocks cannot be.')).to.deep.equal(['cannot be']);
  });
});
