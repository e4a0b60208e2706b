/**
 * Returns the elements of a list header (RFC 9110, section 5.6.1), or the parts of an element, in one pass. A
 * separator inside a quoted string has no effect. An unterminated quoted string extends to the end of the
 * header.
 */
export function headerList(header: string, separator: ',' | ';'): string[] {
  const elements: string[] = [];
  let start = 0;
  let isQuoted = false;
  for (let at = 0; at < header.length; at += 1) {
    const character = header[at];
    if (character === '"') isQuoted = !isQuoted;
    else if (isQuoted && character === '\\') at += 1;
    else if (!isQuoted && character === separator) {
      elements.push(header.slice(start, at).trim());
      start = at + 1;
    }
  }
  elements.push(header.slice(start).trim());
  return elements.filter((element) => element !== '');
}

/** Returns the content of a quoted string, with its escapes unchanged, or the text itself if it is not quoted. */
export function unquoted(text: string): string {
  return text.length >= 2 && text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1) : text;
}
