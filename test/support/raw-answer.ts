import { connect } from 'node:net';

/**
 * The data received over a connection: the status of the first answer, its headers and its body. Further
 * answers follow the body.
 */
export type RawAnswer = { status: number | undefined; headers: Record<string, string>; body: string };

/**
 * Sends bytes unchanged. Reads until the server closes the connection or, if the request leaves the
 * connection open, until the first answer is complete. The status is undefined if the connection was cut
 * without an answer. Further answers follow the body of the first answer.
 */
export function sendBytes({ url }: { url: string }, ...parts: (string | Buffer)[]): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  const closes = parts.some((part) => part.includes('connection: close'));
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    let text = '';
    socket.on('data', (bytes: Buffer) => {
      text += bytes.toString('latin1');
      if (!closes && isWhole(text)) socket.destroy();
    });
    socket.on('error', () => {}); // `close` follows the error
    socket.on('close', () => resolve(answerOf(text)));
    for (const part of parts) socket.write(part);
  });
}

function isWhole(text: string): boolean {
  const { headers, body } = answerOf(text);
  return text.includes('\r\n\r\n') && body.length >= Number(headers['content-length'] ?? Infinity);
}

function answerOf(text: string): RawAnswer {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const [first = '', ...lines] = head.split('\r\n');
  const [, status] = /^HTTP\/1\.1 (\d{3})/.exec(first) ?? [];
  const headers = lines.map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  return {
    status: status === undefined ? undefined : Number(status),
    headers: Object.fromEntries(headers),
    body: rest.join('\r\n\r\n'),
  };
}
