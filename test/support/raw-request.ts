import { once } from 'node:events';
import { connect } from 'node:net';

/** Sends bytes unchanged, and reads until the server ends the connection. */
export async function sendRaw(url: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let answer = '';
  socket.on('data', (data) => (answer += data));
  socket.on('error', () => undefined);
  socket.end(bytes);
  await once(socket, 'close');
  return answer;
}
