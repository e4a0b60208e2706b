import { codeOf, type Source } from '../architecture/source.ts';

/** A sentence of a file, and the line that it begins in. */
export type Sentence = { path: string; line: number; text: string };

/** Fewer words than this in a literal are a name, a value or SQL. */
const WORDS_MIN = 4;

/** The sentences of a file: of its comments and texts where it is code, of its paragraphs where it is Markdown. */
export function sentencesOf(source: Source): Sentence[] {
  const passages = source.path.endsWith('.md') ? paragraphsOf(source.text) : passagesOf(source.text);
  return passages.flatMap(({ line, text }) => splitSentences(source.path, line, text));
}

type Passage = { line: number; text: string };

/** Comments and literals, which are blank in the code alone; comments on lines that follow one another are one passage. */
function passagesOf(text: string): Passage[] {
  const code = codeOf(text).split('\n');
  const passages: Passage[] = [];
  let comment: Passage | undefined;
  text.split('\n').forEach((line, at) => {
    const rest = code[at] ?? '';
    const isComment = rest.trim() === '' && line.trim() !== '';
    if (isComment) {
      const words = line.replace(/^\s*(?:\/\*\*?|\*\/|\*|\/\/)?/, '').replace(/\*\/\s*$/, '');
      if (words.trim() === '') comment = undefined;
      else if (comment) comment.text += `\n${words.trim()}`;
      else passages.push((comment = { line: at + 1, text: words.trim() }));
      return;
    }
    comment = undefined;
    for (const { 0: hidden } of blanked(line, rest).matchAll(/[^\uE000]+/g)) {
      const words = hidden
        .trim()
        .replace(/^(?:\/\/|\/\*\*?)|\*\/$/g, '')
        .trim();
      if (words.split(/\s+/).length >= WORDS_MIN && /^[\w"'`({[]/.test(words))
        passages.push({ line: at + 1, text: words });
    }
  });
  return passages;
}

/** A line in which code is replaced by a character of no meaning, so that texts and comments remain. */
function blanked(line: string, code: string): string {
  return [...line]
    .map((letter, at) => (code[at] === ' ' || code[at] === undefined ? letter : '\uE000'))
    .join('');
}

function paragraphsOf(text: string): Passage[] {
  const passages: Passage[] = [];
  let isCode = false;
  text.split('\n').forEach((line, at) => {
    if (/^\s*(```|~~~)/.test(line)) isCode = !isCode;
    else if (!isCode && line.trim() !== '' && !line.startsWith('#'))
      for (const cell of line.startsWith('|') ? line.split('|') : [line])
        passages.push({
          line: at + 1,
          text: cell.replace(/^[\s>#*-]+|`[^`]*`/g, (part) => (part.startsWith('`') ? 'it' : '')),
        });
  });
  return passages;
}

function splitSentences(path: string, line: number, text: string): Sentence[] {
  const sentences: Sentence[] = [];
  let start = 0;
  for (const match of `${text} `.matchAll(/[.!?:](?=\s+[A-Z"'`(]|\s*$)\s*|\n(?=@|- )/g)) {
    const end = match.index + match[0].length;
    sentences.push(at(start, end));
    start = end;
  }
  if (start < text.length) sentences.push(at(start, text.length));
  return sentences.filter((sentence) => sentence.text !== '');

  function at(from: number, to: number): Sentence {
    const before = text.slice(0, from).split('\n').length - 1;
    return { path, line: line + before, text: text.slice(from, to).replace(/\s+/g, ' ').trim() };
  }
}
